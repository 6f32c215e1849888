import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import durations from './durations.json' with { type: 'json' }

const root = join(import.meta.dirname, '../../..')

/** Seconds of the test files that take longer than a second. `npm run test:times -- --save` writes them. */
const known: Record<string, number> = durations

/** Files run in the order of their known durations, because a long file at the end would prolong the whole run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification) => known[relative(root, moduleId)] ?? 1
    return files.toSorted((a, b) => seconds(b) - seconds(a) || a.moduleId.localeCompare(b.moduleId))
  }
}
