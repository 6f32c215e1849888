import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import durations from './durations.json' with { type: 'json' }

const root = join(import.meta.dirname, '../../..')

/** Seconds of the test files that take longer than a second. `npm run test:times -- --save` writes them. */
const known: Record<string, number> = durations

const seconds = ({ moduleId }: TestSpecification): number => known[relative(root, moduleId)] ?? 1

/**
 * Files run in the order of their known durations, because a long file at the end would prolong the whole run. The files
 * of a project run one after the other: a worker ends as soon as the next file belongs to another project, and a new one
 * has to load all modules, the service and the browser again.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Map.groupBy(files, ({ project }) => project.name)
    const total = (specifications: TestSpecification[]) => specifications.reduce((sum, one) => sum + seconds(one), 0)
    return [...projects.values()]
      .toSorted((a, b) => total(b) - total(a))
      .flatMap((project) => project.toSorted((a, b) => seconds(b) - seconds(a) || a.moduleId.localeCompare(b.moduleId)))
  }
}
