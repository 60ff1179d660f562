import type { EngineInterface } from 'claude-code'

import type { Run } from './ledger'

/**
 * The mod's side of a spawn: it asks the runner on stdin and reads the answer.
 * No policy lives here. Whatever goes wrong, the answer is "leave it alone".
 */

/** What `agent.spawn` tells us, as far as the runner wants to know it. */
export type Spawn = {
  readonly tool_use_id: string
  readonly prompt: string
  readonly description: string
  readonly subagentType: string
  readonly model?: string
  readonly parentModel: string
  readonly parentAgentId?: string
  readonly permissionMode?: string
  readonly background: boolean
  readonly fork: boolean
  readonly isTeammate?: boolean
  readonly workflow?: { readonly runId: string; readonly agentIndex: number }
  readonly resume?: unknown
  readonly cwd?: string
}

/** What the runner answers; every part may be missing. */
export type Answer = { model?: Model; effort?: Effort; line?: string }

const MODELS = ['haiku', 'sonnet', 'opus', 'fable'] as const
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const
export type Model = (typeof MODELS)[number]
export type Effort = (typeof EFFORTS)[number]

const TIME_LIMIT_MS = 2_000
const ASK_FOR_PATH = 'import os, sys; print(os.path.realpath(sys.executable))'

/** The message of a spawn (`design`: "Mod to runner" in docs/reference/wire.md). */
export function spawnMessage(e: Spawn, session: string, cwd: string) {
  return {
    ...identity(e, session),
    hook_event_name: 'PreToolUse',
    tool_name: 'Agent',
    tool_input: {
      description: e.description,
      prompt: e.prompt,
      subagent_type: e.subagentType,
      ...(e.model === undefined ? {} : { model: e.model }),
    },
    parent_model: e.parentModel,
    permission_mode: e.permissionMode ?? '',
    background: e.background,
    fork: e.fork,
    resume: e.resume !== undefined,
    teammate: e.isTeammate === true,
    ...(e.parentAgentId === undefined ? {} : { parent_agent_id: e.parentAgentId }),
    cwd: e.cwd ?? cwd,
  }
}

/** The message that says what the engine started the child on. */
export function resolvedMessage(e: Spawn, session: string, agentId: string, model: string) {
  return {
    ...identity(e, session),
    hook_event_name: 'SpawnResolved',
    agent_id: agentId,
    resolved_model: model,
    background: e.background,
  }
}

/** How an agent's turn ended: the engine's reason, `stopped` when another call stopped it; `error` names one. */
export type Ending = {
  readonly agentId: string
  readonly reason: string
  readonly error: string
  readonly answer: string
}

const LAST_WORDS = 400

/** The message that says how a child ended and what it used. The call it came from is known only for spawns seen here. */
export function endedMessage(e: Spawn | undefined, session: string, ending: Ending, run: Run, mainTokens: number) {
  return {
    ...(e === undefined ? { entry: 'mod', session_id: session } : identity(e, session)),
    hook_event_name: 'AgentEnded',
    agent_id: ending.agentId,
    reason: ending.reason,
    error: ending.error,
    last_assistant_message: ending.answer.slice(0, LAST_WORDS),
    usage: run.usage,
    tool_calls: run.toolCalls,
    main_tokens: mainTokens,
  }
}

function identity(e: Spawn, session: string) {
  const run = e.workflow
  return {
    entry: 'mod',
    session_id: session,
    tool_use_id: e.tool_use_id,
    ...(run === undefined ? {} : { workflow: { run_id: run.runId, index: run.agentIndex } }),
  }
}

/** Reads the runner's answer. A name the engine would refuse counts as no answer. */
export function readAnswer(text: string): Answer {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    return {}
  }
  if (typeof data !== 'object' || data === null) {
    return {}
  }
  const { model, effort, line } = data as Record<string, unknown>
  const known = MODELS.find(name => name === model)
  const said = typeof line === 'string' ? { line } : {}
  return known === undefined ? said : { model: known, effort: EFFORTS.find(name => name === effort), ...said }
}

/** Runs the runner with one message on stdin; its output, or nothing when it fails in any way. */
export async function runRunner($: EngineInterface, verb: 'hook' | 'end', message: object, env: Record<string, string>) {
  const stdin = JSON.stringify(message)
  for (const python of await interpreters($)) {
    try {
      const argv = [python, '-I', '-S', `${$.plugin.root}/hooks/run.py`, verb, 'claude-code']
      const ran = await $.process.run(argv, { stdin, env, timeoutMs: TIME_LIMIT_MS })
      return ran.exitCode === 0 ? ran.stdout : ''
    } catch (error) {
      // Only an interpreter that is gone is worth a second try; a slow one has used up the time.
      if (!String(error).includes('failed to start')) {
        return ''
      }
      await $.store.delete('python')
    }
  }
  return ''
}

/** Remembers where Python really is: a version manager's shim costs several times its start-up. */
export async function rememberPython($: EngineInterface) {
  try {
    const known = await $.store.get('python')
    if (typeof known === 'string' && known !== '') {
      return
    }
    const ran = await $.process.run(['python3', '-I', '-S', '-c', ASK_FOR_PATH], { timeoutMs: TIME_LIMIT_MS })
    const path = ran.stdout.trim()
    if (ran.exitCode === 0 && path.startsWith('/')) {
      await $.store.set('python', path)
    }
  } catch {
    // No Python: every spawn passes through unchanged, and `downshift doctor` says so.
  }
}

async function interpreters($: EngineInterface) {
  try {
    const known = await $.store.get('python')
    return typeof known === 'string' && known !== '' ? [known, 'python3'] : ['python3']
  } catch {
    return ['python3']
  }
}
