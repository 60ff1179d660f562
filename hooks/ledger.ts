/**
 * What each agent used, request by request, as the engine reports it. Nothing is read from files, and an agent
 * that was interrupted is known as well as one that finished.
 */

/** What one model was asked for, in the words of the API. */
export type Spent = {
  model: string
  input_tokens: number
  output_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
}

/** What `turn.step` returns, as far as it matters here. */
export type Step = {
  readonly toolUses?: readonly unknown[]
  readonly usage?: Partial<Spent> | null
}

export type Run = { usage: Spent[]; toolCalls: number }

const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

/** Tokens of the agents that run, and of the main thread together. */
export class Ledger {
  readonly #runs = new Map<string, Run>()
  #main = 0

  /** Adds one request of an agent, or of the main thread. */
  add(agentId: string | undefined, step: Step) {
    const usage = step.usage ?? undefined
    if (agentId === undefined) {
      this.#main += COUNTS.reduce((sum, name) => sum + count(usage?.[name]), 0)
      return
    }
    const run = this.#runs.get(agentId) ?? { usage: [], toolCalls: 0 }
    this.#runs.set(agentId, run)
    run.toolCalls += step.toolUses?.length ?? 0
    if (usage === undefined) {
      return
    }
    const model = String(usage.model ?? '')
    const spent = run.usage.find(each => each.model === model) ?? nothing(model)
    for (const name of COUNTS) {
      spent[name] += count(usage[name])
    }
    // The model of the last request stands last.
    run.usage = [...run.usage.filter(each => each !== spent), spent]
  }

  /** What an agent used since it last ended. */
  close(agentId: string): Run {
    const run = this.#runs.get(agentId) ?? { usage: [], toolCalls: 0 }
    this.#runs.delete(agentId)
    return run
  }

  /** Every token of the main thread so far. */
  get main() {
    return this.#main
  }
}

function nothing(model: string): Spent {
  return { model, input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
}

function count(value: unknown) {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0
}
