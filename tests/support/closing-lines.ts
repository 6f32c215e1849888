import type { Reporter, TestModule } from 'vitest/node'

/** Closes a run with one line of what it did not run and one plain line of counts. */
export class ClosingLines implements Reporter {
  readonly #notRun: string

  constructor(notRun: string) {
    this.#notRun = notRun
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (state: string) => results.filter((result) => result === state).length
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : ''
    process.stdout.write(`Not run here: ${this.#notRun}\n`)
    process.stdout.write(`${count('passed')} passed, ${count('failed')} failed${skipped}\n`)
  }
}
