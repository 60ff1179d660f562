import type { EngineInterface, Register } from 'claude-code'

import { readAnswer, rememberPython, resolvedMessage, runRunner, spawnMessage } from './spawn'
import type { Answer, Effort, Spawn } from './spawn'

/** The effort that goes with a rewritten model, by agent: `agent.spawn` itself has none to set. */
const efforts = new Map<string, Effort>()

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
      void observe($, e, got.agentId, got.model, env)
    }
    return got
  }).catch(($, e, next) => next(e))

  on('turn.step', async function* ($, e, next) {
    const effort = e.agentId === undefined ? undefined : efforts.get(e.agentId)
    return yield* next(effort === undefined ? e : { ...e, effort })
  })
}
