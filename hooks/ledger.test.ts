import { describe, expect, test } from 'claude-code/testing'

import { Ledger } from './ledger'

const step = (model: string, output: number, toolUses: unknown[] = []) => ({
  toolUses,
  usage: {
    model,
    input_tokens: 1,
    output_tokens: output,
    cache_read_input_tokens: 10,
    cache_creation_input_tokens: 100,
  },
})

describe('Ledger', () => {
  test('adds up what an agent used and forgets it once it ended', () => {
    const ledger = new Ledger()
    ledger.add('a', step('haiku', 5, [{}, {}]))
    ledger.add('a', step('haiku', 7))
    ledger.add('b', step('opus', 1))
    expect(ledger.close('a')).toEqual({
      toolCalls: 2,
      usage: [
        {
          model: 'haiku',
          input_tokens: 2,
          output_tokens: 12,
          cache_read_input_tokens: 20,
          cache_creation_input_tokens: 200,
        },
      ],
    })
    expect(ledger.close('a')).toEqual({ toolCalls: 0, usage: [] })
    expect(ledger.close('b').usage.length).toBe(1)
  })

  test('keeps models apart, the one of the last request at the end', () => {
    const ledger = new Ledger()
    for (const model of ['haiku', 'opus', 'haiku']) {
      ledger.add('a', step(model, 1))
    }
    expect(ledger.close('a').usage.map(each => each.model)).toEqual(['opus', 'haiku'])
  })

  test('counts the main thread as one sum', () => {
    const ledger = new Ledger()
    ledger.add(undefined, step('opus', 5))
    ledger.add(undefined, step('opus', 5))
    expect(ledger.main).toBe(232)
  })

  for (const usage of [null, undefined, {}, { output_tokens: -4 }, { output_tokens: Number.NaN }, { output_tokens: 'x' as never }]) {
    test(`takes usage ${JSON.stringify(usage)} as nothing`, () => {
      const ledger = new Ledger()
      ledger.add('a', { toolUses: [{}], usage })
      const run = ledger.close('a')
      expect(run.toolCalls).toBe(1)
      expect(run.usage.reduce((sum, each) => sum + each.output_tokens, 0)).toBe(0)
    })
  }
})
