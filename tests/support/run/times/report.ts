import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { type RunTimes, timesFile } from '../../../../tools/test-times.ts'

const root = join(import.meta.dirname, '../../../..')

/** The time limit of a test tier on two cores without other load. */
type Budget = { name: string; ceilingSeconds: number }

/** Writes the times of each test file to `timesFile`, and prints how much of its time limit the run has used. */
export default class TimesReport implements Reporter {
  readonly #budget: Budget
  #startedAt = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  onInit(): void {
    this.#startedAt = performance.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.flatMap((module) => {
      const { times } = module.meta()
      if (!times) return []
      const { duration, collectDuration } = module.diagnostic()
      const file = relative(root, module.moduleId)
      const tests = [...module.children.allTests()].length
      return [{ file, project: module.project.name, tests, wallMs: duration + collectDuration, ...times }]
    })
    const wallMs = performance.now() - this.#startedAt
    const { name } = this.#budget
    const path = timesFile(name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify({ name, wallMs, files } satisfies RunTimes))
    process.stdout.write(`${usage(this.#budget, wallMs / 1000)}\n`)
  }
}

const usage = ({ name, ceilingSeconds }: Budget, seconds: number): string =>
  `${Math.round(seconds)} s, ${Math.round((100 * seconds) / ceilingSeconds)} % of the ${ceilingSeconds} s that ${name} may take`
