import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { isInCi } from './requirements.ts'

/**
 * Prints what was not run, including the notes of skipped tests, the tests that passed only at their second try, and the
 * numbers of tests. In CI, a skipped test fails the run.
 */
export class ClosingLines implements Reporter {
  readonly #notRun: readonly string[]

  constructor(notRun: readonly string[]) {
    this.#notRun = notRun
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const results = tests.map((test) => test.result())
    const count = (state: string) => results.filter((result) => result.state === state).length
    const notes = results.flatMap((result) => (result.state === 'skipped' && result.note ? [result.note] : []))
    const notRun = [...this.#notRun, ...new Set(notes)]
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : ''
    if (notRun.length > 0) process.stdout.write(`Not run here: ${notRun.join('; ')}\n`)
    const flaky = tests.filter((test) => test.diagnostic()?.flaky)
    if (flaky.length > 0) process.stdout.write(`Passed only at the second try:\n${list(flaky)}`)
    if (isInCi) failWhenSkipped(tests)
    const failed = count('failed') + modules.filter(failsOutsideTests).length
    process.stdout.write(`${count('passed')} passed, ${failed} failed${skipped}\n`)
  }
}

/** Returns whether a file failed while it was loaded or in a hook, and not in a test. */
const failsOutsideTests = (module: TestModule): boolean =>
  module.state() === 'failed' && [...module.children.allTests('failed')].length === 0

function failWhenSkipped(tests: TestCase[]): void {
  const skipped = tests.filter((test) => test.result().state === 'skipped')
  if (skipped.length === 0) return
  process.stdout.write(`In CI every test must run, and these were skipped:\n${list(skipped)}`)
  process.exitCode = 1
}

const list = (tests: TestCase[]): string =>
  tests.map((test) => `  ${test.module.relativeModuleId} > ${test.fullName}\n`).join('')
