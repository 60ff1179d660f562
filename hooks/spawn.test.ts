import { describe, expect, test } from 'claude-code/testing'

import { endedMessage, readAnswer, resolvedMessage, spawnMessage } from './spawn'
import type { Spawn } from './spawn'

const SPAWN: Spawn = {
  tool_use_id: 'toolu_1',
  prompt: 'rename x',
  description: 'a task',
  subagentType: 'general-purpose',
  parentModel: 'claude-opus-5-5',
  permissionMode: 'auto',
  background: true,
  fork: false,
}

describe('spawnMessage', () => {
  test('says what the engine said, in the words of the wire', () => {
    expect(spawnMessage(SPAWN, 'session', '/p')).toEqual({
      entry: 'mod',
      session_id: 'session',
      tool_use_id: 'toolu_1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Agent',
      tool_input: { description: 'a task', prompt: 'rename x', subagent_type: 'general-purpose' },
      parent_model: 'claude-opus-5-5',
      permission_mode: 'auto',
      background: true,
      fork: false,
      resume: false,
      teammate: false,
      cwd: '/p',
    })
  })

  test('adds a model, a parent, a run and a folder only where there is one', () => {
    const message = spawnMessage(
      {
        ...SPAWN,
        model: 'sonnet',
        parentAgentId: 'a1',
        workflow: { runId: 'wf', agentIndex: 2 },
        resume: { agentId: 'a0' },
        isTeammate: true,
        cwd: '/other',
      },
      'session',
      '/p',
    )
    expect(message).toMatchObject({
      tool_input: { model: 'sonnet' },
      parent_agent_id: 'a1',
      workflow: { run_id: 'wf', index: 2 },
      resume: true,
      teammate: true,
      cwd: '/other',
    })
  })
})

test('resolvedMessage names the child and what it was started on', () => {
  expect(resolvedMessage(SPAWN, 'session', 'a1', 'claude-haiku-5-5')).toEqual({
    entry: 'mod',
    session_id: 'session',
    tool_use_id: 'toolu_1',
    hook_event_name: 'SpawnResolved',
    agent_id: 'a1',
    resolved_model: 'claude-haiku-5-5',
    background: true,
  })
})

describe('readAnswer', () => {
  test('reads a whole answer', () => {
    expect(readAnswer('{"model":"haiku","effort":"low","line":"said"}')).toEqual({
      model: 'haiku',
      effort: 'low',
      line: 'said',
    })
  })

  for (const text of ['', '{}', 'oops', '[]', 'null', '"haiku"', '{"model":"claude-haiku-5-5"}', '{"model":7}', '{"effort":"low"}']) {
    test(`takes ${text === '' ? 'nothing' : text} as leave it alone`, () => {
      expect(readAnswer(text)).toEqual({})
    })
  }

  test('drops an effort and a line that are not usable', () => {
    expect(readAnswer('{"model":"opus","effort":"tiny","line":3}')).toEqual({
      model: 'opus',
      effort: undefined,
      line: undefined,
    })
  })
})

describe('endedMessage', () => {
  const ending = { agentId: 'a1', reason: 'answer', error: '', answer: 'x'.repeat(5000) }
  const run = { usage: [], toolCalls: 3 }

  test('names the child, its call, its end and what it used', () => {
    expect(endedMessage(SPAWN, 'session', ending, run, 77)).toEqual({
      entry: 'mod',
      session_id: 'session',
      tool_use_id: 'toolu_1',
      hook_event_name: 'AgentEnded',
      agent_id: 'a1',
      reason: 'answer',
      error: '',
      last_assistant_message: 'x'.repeat(400),
      usage: [],
      tool_calls: 3,
      main_tokens: 77,
    })
  })

  test('knows no call for an agent of an earlier process', () => {
    expect('tool_use_id' in endedMessage(undefined, 'session', ending, run, 0)).toBe(false)
  })
})
