import { describe, expect, mock, test } from 'claude-code/testing'
import type { On } from 'claude-code'

const SPAWN = {
  tool_use_id: 'toolu_1',
  prompt: 'rename x',
  description: 'a task',
  subagentType: 'general-purpose',
  provider: { plugin: 'engine', tier: 'core' },
  parentModel: 'claude-opus-5-5',
  permissionMode: 'auto',
  background: false,
  fork: false,
} as const

const START = { cwd: '/p', surface: 'terminal', isInteractive: true } as const
const HAIKU = '{"model":"haiku","effort":"low","line":"downshift: said"}'

type Ran = { exitCode: number; stdout: string } | { deny: string }

/** Stands for the engine beneath the mod; `runner` answers the calls of hooks/run.py. */
function engine(on: On, runner: (verb: string, python: string) => Ran) {
  const seen = {
    models: [] as (string | undefined)[],
    efforts: [] as unknown[],
    messages: [] as Record<string, unknown>[],
    argvs: [] as (readonly string[])[],
    envs: [] as (Record<string, string> | undefined)[],
    lines: [] as string[],
    marks: [] as string[],
  }
  mock.store(on, { python: '/opt/python' })
  on('session.start', (_, e) => ({ cwd: e.cwd }))
  on('session.id', () => ({ value: 'session' }))
  on('session.cwd', () => ({ value: '/p' }))
  on('env.set', (_, e) => {
    seen.marks.push(`${e.name}=${e.value}`)
    return { value: {} }
  })
  on('ui.log', (_, e) => {
    seen.lines.push(e.text)
    return { value: undefined }
  })
  on('process.run', (_, e) => {
    seen.argvs.push(e.argv)
    seen.envs.push(e.init?.env as Record<string, string> | undefined)
    seen.messages.push(JSON.parse(String(e.init?.stdin ?? '')))
    const ran = runner(e.argv[4] ?? '', e.argv[0] ?? '')
    return 'deny' in ran ? ran : { value: { ...ran, stderr: '', isStdoutTruncated: false, isStderrTruncated: false } }
  })
  on('agent.spawn', (_, e) => {
    seen.models.push(e.model)
    return { model: e.model === 'haiku' ? 'claude-haiku-5-5' : e.parentModel, agentId: 'a1' }
  })
  return seen
}

const answering = (answer: string) => (verb: string) => ({ exitCode: 0, stdout: verb === 'hook' ? answer : '{}' })

test('a spawn runs on what the runner answers, and the person is told', async ($, on) => {
  const clock = mock.clock(on)
  const seen = engine(on, answering(HAIKU))
  const got = await $.agent.spawn(SPAWN)
  await clock.settle()
  expect(got.model).toBe('claude-haiku-5-5')
  expect(seen.models).toEqual(['haiku'])
  expect(seen.lines).toEqual(['downshift: said'])
  expect(seen.argvs[0]?.slice(0, 3)).toEqual(['/opt/python', '-I', '-S'])
  expect(seen.argvs[0]?.[3]).toMatch(/hooks\/run\.py$/)
  expect(seen.messages[0]).toMatchObject({ tool_use_id: 'toolu_1', session_id: 'session', cwd: '/p' })
})

test('where the engine refuses the model, the effort stays and nothing is claimed', async ($, on) => {
  const clock = mock.clock(on)
  const seen = engine(on, answering(HAIKU.replace('haiku', 'sonnet')))
  on('turn.step', async function* (_, e) {
    seen.efforts.push(e.effort)
    return { turnId: e.turnId, index: e.index, answer: '', toolUses: [], stopReason: 'end_turn', usage: null }
  })
  const got = await $.agent.spawn(SPAWN)
  await clock.settle()
  const stream = $.turn.step({ turnId: 't', model: 'opus', messageCount: 1, index: 0, agentId: 'a1' })
  while (!(await stream.next()).done) {
    // only the end matters
  }
  expect(seen.efforts).toEqual([undefined])
  expect(got.model).toBe('claude-opus-5-5')
  expect(seen.models).toEqual(['sonnet'])
  expect(seen.lines).toEqual([])
})

test('what the child was started on goes back to the runner', async ($, on) => {
  const clock = mock.clock(on)
  const seen = engine(on, answering('{}'))
  await $.agent.spawn(SPAWN)
  await clock.settle()
  expect(seen.models).toEqual([undefined])
  expect(seen.lines).toEqual([])
  expect(seen.messages[1]).toMatchObject({
    hook_event_name: 'SpawnResolved',
    agent_id: 'a1',
    resolved_model: 'claude-opus-5-5',
  })
})

test('the effort of the answer is on every step of that agent and on nobody else', async ($, on) => {
  const clock = mock.clock(on)
  const seen = engine(on, answering(HAIKU))
  on('turn.step', async function* (_, e) {
    seen.efforts.push(e.effort)
    return { turnId: e.turnId, index: e.index, answer: '', toolUses: [], stopReason: 'end_turn', usage: null }
  })
  await $.agent.spawn(SPAWN)
  await clock.settle()
  const step = { turnId: 't', model: 'haiku', messageCount: 1 }
  for (const e of [
    { ...step, index: 0, agentId: 'a1' },
    { ...step, index: 1, agentId: 'a1' },
    { ...step, index: 0, agentId: 'a2' },
    { ...step, index: 0 },
  ]) {
    const stream = $.turn.step(e)
    while (!(await stream.next()).done) {
      // only the end matters
    }
  }
  expect(seen.efforts).toEqual(['low', 'low', undefined, undefined])
})

describe('a runner in trouble leaves the spawn alone', () => {
  const troubles: Record<string, (verb: string) => Ran> = {
    'a failing one': () => ({ exitCode: 1, stdout: HAIKU }),
    'one that prints rubbish': () => ({ exitCode: 0, stdout: '{"model": "haiku"' }),
    'one that names a full id': () => ({ exitCode: 0, stdout: '{"model": "claude-haiku-5-5"}' }),
    'one that cannot be started': () => ({ deny: 'failed to start: ENOENT' }),
    'one that takes too long': () => ({ deny: 'aborted: still running after 2000ms' }),
  }
  for (const [name, trouble] of Object.entries(troubles)) {
    test(name, async ($, on) => {
      const clock = mock.clock(on)
      const seen = engine(on, trouble)
      const got = await $.agent.spawn(SPAWN)
      await clock.settle()
      expect(got.model).toBe('claude-opus-5-5')
      expect(seen.models).toEqual([undefined])
    })
  }
})

test('an interpreter that is gone is forgotten and python3 tried at once', async ($, on) => {
  const clock = mock.clock(on)
  const seen = engine(on, (verb, python) =>
    python === '/opt/python' ? { deny: 'failed to start: ENOENT' } : answering(HAIKU)(verb),
  )
  const got = await $.agent.spawn(SPAWN)
  await clock.settle()
  expect(got.model).toBe('claude-haiku-5-5')
  expect(seen.argvs.map(argv => argv[0])).toEqual(['/opt/python', 'python3', 'python3'])
})

test('hooks of this session are told that the mod is at work', async ($, on) => {
  const clock = mock.clock(on)
  const seen = engine(on, answering('{}'))
  await $.session.start(START)
  await clock.settle()
  expect(seen.marks).toEqual(['DOWNSHIFT_ENTRY=mod:session'])
})

test('and told again when the session changes', async ($, on) => {
  const clock = mock.clock(on)
  const seen = engine(on, answering('{}'))
  on('classic.SessionStart', () => ({}))
  await $.classic.SessionStart({ source: 'clear' })
  await clock.settle()
  expect(seen.marks).toEqual(['DOWNSHIFT_ENTRY=mod:session'])
})

test('options reach the runner under the names that hooks know', { options: { control_share: 0.25, quiet: true } }, async ($, on) => {
  const clock = mock.clock(on)
  const seen = engine(on, answering('{}'))
  await $.agent.spawn(SPAWN)
  await clock.settle()
  expect(seen.envs[0]).toEqual({ CLAUDE_PLUGIN_OPTION_CONTROL_SHARE: '0.25', CLAUDE_PLUGIN_OPTION_QUIET: 'true' })
})

describe('an agent that ends', () => {
  const usage = { model: 'haiku', input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 }
  const complete = { answer: 'all of it', durationMs: 5, isAborted: false, turnId: 't', agentId: 'a1' } as const

  /** The last message that the runner was sent about an end. */
  const last = (seen: ReturnType<typeof engine>) => seen.messages.filter(each => each.hook_event_name === 'AgentEnded').pop()

  test('is told to the runner with what it used, and the person hears the answer', async ($, on) => {
    const clock = mock.clock(on)
    const seen = engine(on, verb => ({ exitCode: 0, stdout: verb === 'end' ? '{"line":"said"}' : '{}' }))
    on('turn.step', async function* (_, e) {
      return { turnId: e.turnId, index: e.index, answer: '', toolUses: [], stopReason: 'end_turn', usage }
    })
    on('turn.complete', () => ({ text: '' }))
    await $.agent.spawn(SPAWN)
    const stream = $.turn.step({ turnId: 't', model: 'haiku', messageCount: 1, index: 0, agentId: 'a1' })
    while (!(await stream.next()).done) {
      // only the end matters
    }
    await $.turn.complete({ ...complete, reason: 'answer' })
    await clock.settle()
    expect(last(seen)).toMatchObject({ tool_use_id: 'toolu_1', agent_id: 'a1', reason: 'answer', usage: [usage] })
    expect(seen.lines).toContain('said')
  })

  test('by an error says which one', async ($, on) => {
    const clock = mock.clock(on)
    const seen = engine(on, answering('{}'))
    on('turn.complete', () => ({ text: '' }))
    on('classic.StopFailure', () => ({}))
    await $.agent.spawn(SPAWN)
    await $.classic.StopFailure({ agent_id: 'a1', error: 'rate_limit' } as never)
    await $.turn.complete({ ...complete, reason: 'error' })
    await clock.settle()
    expect(last(seen)).toMatchObject({ reason: 'error', error: 'rate_limit' })
    await $.turn.complete({ ...complete, reason: 'error' })
    await clock.settle()
    expect(last(seen)).toMatchObject({ error: '' })
  })

  test('because a call stopped it was stopped, and otherwise interrupted', async ($, on) => {
    const clock = mock.clock(on)
    const seen = engine(on, answering('{}'))
    on('turn.complete', () => ({ text: '' }))
    on('tool.call', () => ({ result: {}, text: '' }) as never)
    await $.agent.spawn(SPAWN)
    await $.tool.call({ tool: 'TaskStop', tool_use_id: 'x', task_id: 'a1' } as never)
    await $.turn.complete({ ...complete, isAborted: true, reason: 'aborted' })
    await clock.settle()
    expect(last(seen)).toMatchObject({ reason: 'stopped' })
    await $.turn.complete({ ...complete, isAborted: true, reason: 'aborted' })
    await clock.settle()
    expect(last(seen)).toMatchObject({ reason: 'aborted' })
  })

  test('after a resume is still the child of its first spawn', async ($, on) => {
    const clock = mock.clock(on)
    const seen = engine(on, answering('{}'))
    on('turn.complete', () => ({ text: '' }))
    await $.agent.spawn(SPAWN)
    await $.agent.spawn({ ...SPAWN, tool_use_id: 'toolu_2' })
    await $.turn.complete({ ...complete, reason: 'answer' })
    await clock.settle()
    expect(last(seen)).toMatchObject({ tool_use_id: 'toolu_1' })
    expect(seen.messages.filter(each => each.hook_event_name === 'SpawnResolved').length).toBe(1)
  })

  test('is nobody of ours when it is the main thread', async ($, on) => {
    const clock = mock.clock(on)
    const seen = engine(on, answering('{}'))
    on('turn.complete', () => ({ text: '' }))
    await $.turn.complete({ answer: '', durationMs: 5, isAborted: false, turnId: 't', reason: 'answer' })
    await clock.settle()
    expect(last(seen)).toBe(undefined)
  })
})
