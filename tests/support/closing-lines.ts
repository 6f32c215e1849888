import type { Reporter, TestModule } from 'vitest/node'

/** Closes a run with one line of what it did not run, if there is anything, and one plain line of counts. */
export class ClosingLines implements Reporter {
  readonly #notRun: readonly string[]

  constructor(notRun: readonly string[]) {
    this.#notRun = notRun
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (state: string) => results.filter((result) => result === state).length
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : ''
    if (this.#notRun.length > 0) process.stdout.write(`Not run here: ${this.#notRun.join('; ')}\n`)
    process.stdout.write(`${count('passed')} passed, ${count('failed')} failed${skipped}\n`)
  }
}
