import { type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The tag of the tests that a project repeats on other back ends. */
    repeatedTag: string | undefined
  }
}

/** Runs only the tests with the tag of the project. A file without such tests runs whole. */
export default class TaggedRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    const tag = this.injectValue('repeatedTag')
    for (const file of files) if (hasTagged(file, tag)) keepTagged(file, tag)
  }
}

type Task = RunnerTestSuite['tasks'][number]

const hasTagged = (task: Task, tag: string): boolean =>
  task.type === 'suite' ? task.tasks.some((one) => hasTagged(one, tag)) : (task.tags ?? []).includes(tag)

function keepTagged(suite: RunnerTestSuite, tag: string): void {
  suite.tasks = suite.tasks.filter((task) => hasTagged(task, tag))
  for (const task of suite.tasks) if (task.type === 'suite') keepTagged(task, tag)
}
