import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests with processes or browsers run first, because a slow file at the end would prolong the whole run. */
const isLong = ({ moduleId }: TestSpecification): boolean => /\/tests\/(process|browser)\//.test(moduleId)

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
