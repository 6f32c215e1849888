import { type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest'
import { isLongRun } from './long-run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The tag of the tests that a project repeats, such as those on another back end. */
    repeatedTag: string | undefined
  }
}

/**
 * Leaves out tests with the tag `nightly`, except in `npm run test:long`. If a file has tests with the tag of the
 * project, only these run; all tests of other files run.
 */
export default class TaggedRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    const tag = this.injectValue('repeatedTag')
    for (const file of files) {
      if (!isLongRun) keep(file, (test) => !test.tags?.includes('nightly'))
      if (tag && has(file, tag)) keep(file, (test) => Boolean(test.tags?.includes(tag)))
    }
  }
}

type Task = RunnerTestSuite['tasks'][number]
type Test = Exclude<Task, RunnerTestSuite>

const has = (task: Task, tag: string): boolean =>
  task.type === 'suite' ? task.tasks.some((one) => has(one, tag)) : Boolean(task.tags?.includes(tag))

/** Removes the other tests, and suites without a test. */
function keep(suite: RunnerTestSuite, isKept: (test: Test) => boolean): void {
  suite.tasks = suite.tasks.filter((task) => {
    if (task.type !== 'suite') return isKept(task)
    keep(task, isKept)
    return task.tasks.length > 0
  })
}
