import type { EngineInterface, Register } from 'claude-code'

import { Ledger } from './ledger'
import { endedMessage, readAnswer, rememberPython, resolvedMessage, runRunner, spawnMessage } from './spawn'
import type { Answer, Effort, Ending, Spawn } from './spawn'

/** The effort that goes with a rewritten model, by agent: `agent.spawn` itself has none to set. */
const efforts = new Map<string, Effort>()
/** The call that each agent came from; a resumed agent keeps its first. */
const spawns = new Map<string, Spawn>()
/** Agents that a call is stopping: their turn ends as aborted, and nobody was interrupted. */
const stopping = new Set<string>()
/** What broke off an agent's turn, by agent. */
const errors = new Map<string, string>()
const ledger = new Ledger()

/** How a turn ended, with what other events said of it before. */
function endingOf(agentId: string, reason: string, answer: string): Ending {
  const stopped = stopping.delete(agentId) && reason === 'aborted'
  const error = errors.get(agentId) ?? ''
  errors.delete(agentId)
  return { agentId, reason: stopped ? 'stopped' : reason, error, answer }
}

/** Tells the command hooks of this session that the mod is at work, so that one spawn starts one process. */
async function standInForHooks($: EngineInterface) {
  try {
    await $.env.set('DOWNSHIFT_ENTRY', `mod:${await $.session.id()}`)
  } catch {
    // The hook then judges the spawn too, and the runner sees that it is the same one.
  }
}

async function ask($: EngineInterface, e: Spawn, env: Record<string, string>): Promise<Answer> {
  try {
    const message = spawnMessage(e, await $.session.id(), await $.session.cwd())
    return readAnswer(await runRunner($, 'hook', message, env))
  } catch {
    return {}
  }
}

async function observe($: EngineInterface, e: Spawn, agentId: string, model: string, env: Record<string, string>) {
  try {
    await runRunner($, 'end', resolvedMessage(e, await $.session.id(), agentId, model), env)
  } catch {
    // Then the spawn stays unobserved, and every view says that it is.
  }
}

async function ended($: EngineInterface, ending: Ending, env: Record<string, string>) {
  const run = ledger.close(ending.agentId)
  try {
    const message = endedMessage(spawns.get(ending.agentId), await $.session.id(), ending, run, ledger.main)
    say($, readAnswer(await runRunner($, 'end', message, env)).line)
  } catch {
    // Then the end stays unknown, and every view says that it is.
  }
}

function say($: EngineInterface, line: string | undefined) {
  try {
    if (line !== undefined && line !== '') {
      $.ui.log(line)
    }
  } catch {
    // The child is started; a line that cannot be shown must not start it again.
  }
}

export const register: Register = (on, options) => {
  // The same names that a command hook gets once an option is saved; the environment of the user still wins.
  const env: Record<string, string> = {}
  if (options.control_share !== undefined) {
    env.CLAUDE_PLUGIN_OPTION_CONTROL_SHARE = String(options.control_share)
  }
  if (options.quiet !== undefined) {
    env.CLAUDE_PLUGIN_OPTION_QUIET = String(options.quiet)
  }

  on('session.start', async ($, e, next) => {
    await standInForHooks($)
    const started = await next(e)
    void rememberPython($)
    return started
  }).catch(($, e, next) => next(e))

  // `/clear` and a resume change the session id without a new `session.start`.
  on('classic.SessionStart', async ($, e, next) => {
    await standInForHooks($)
    return next(e)
  }).catch(($, e, next) => next(e))

  on('agent.spawn', async ($, e, next) => {
    const answer = await ask($, e, env)
    const got = await next(answer.model === undefined ? e : { ...e, model: answer.model })
    if ('agentId' in got && got.agentId !== undefined) {
      // The engine may refuse a model (a list of allowed ones, a forced one): then the effort is not ours to lower.
      if (answer.model !== undefined && got.model.includes(answer.model)) {
        if (answer.effort !== undefined) {
          efforts.set(got.agentId, answer.effort)
        }
        say($, answer.line)
      }
      // A resumed agent is the child of its first spawn.
      if (!spawns.has(got.agentId)) {
        spawns.set(got.agentId, e)
        void observe($, e, got.agentId, got.model, env)
      }
    }
    return got
  }).catch(($, e, next) => next(e))

  on('turn.step', async function* ($, e, next) {
    const effort = e.agentId === undefined ? undefined : efforts.get(e.agentId)
    const step = yield* next(effort === undefined ? e : { ...e, effort })
    ledger.add(e.agentId, step)
    return step
  })

  on('tool.call', { tool: 'TaskStop' }, ($, e, next) => {
    stopping.add(String((e as { task_id?: unknown }).task_id))
    return next(e)
  }).catch(($, e, next) => next(e))

  // It comes before the turn is complete, and is the only one to say which error it was.
  on('classic.StopFailure', ($, e, next) => {
    const { agent_id: agentId, error } = e as { agent_id?: unknown; error?: unknown }
    if (typeof agentId === 'string') {
      errors.set(agentId, String(error))
    }
    return next(e)
  }).catch(($, e, next) => next(e))

  on('turn.complete', async ($, e, next) => {
    const done = await next(e)
    if (e.agentId !== undefined) {
      void ended($, endingOf(e.agentId, e.reason, e.answer), env)
    }
    return done
  }).catch(($, e, next) => next(e))
}
