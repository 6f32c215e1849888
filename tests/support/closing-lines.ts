import type { Reporter, TestModule } from 'vitest/node'

/**
 * Closes a run with one line of what it did not run, if there is anything, and one plain line of counts. Tests that skip
 * themselves with a note say there what could not run.
 */
export class ClosingLines implements Reporter {
  readonly #notRun: readonly string[]

  constructor(notRun: readonly string[]) {
    this.#notRun = notRun
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result()))
    const count = (state: string) => results.filter((result) => result.state === state).length
    const notes = results.flatMap((result) => (result.state === 'skipped' && result.note ? [result.note] : []))
    const notRun = [...this.#notRun, ...new Set(notes)]
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : ''
    if (notRun.length > 0) process.stdout.write(`Not run here: ${notRun.join('; ')}\n`)
    process.stdout.write(`${count('passed')} passed, ${count('failed')} failed${skipped}\n`)
  }
}
