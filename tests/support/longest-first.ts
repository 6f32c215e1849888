import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What starts processes and browsers, and waits for them, must not be what a run ends with: one file would keep all waiting. */
const isLong = ({ moduleId }: TestSpecification): boolean => /\/tests\/(process|browser)\//.test(moduleId)

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
