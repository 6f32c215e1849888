import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import type { FileTimes } from './record.ts'

const root = join(import.meta.dirname, '../../..')

/** Where the times of the last run are; `npm run test:times` prints them. */
export const timesFile = join(root, 'node_modules/.cache/test-times.json')

export type RunTimes = {
  wallMs: number
  files: Array<{ file: string; project: string; tests: number; wallMs: number } & FileTimes>
}

/** Writes down what each file of a run has cost. */
export default class TimesReport implements Reporter {
  #startedAt = 0

  onTestRunStart(): void {
    this.#startedAt = performance.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.flatMap((module) => {
      const { times } = module.meta()
      if (!times) return []
      return [
        {
          file: relative(root, module.moduleId),
          project: module.project.name,
          tests: [...module.children.allTests()].length,
          wallMs: module.diagnostic().duration + module.diagnostic().collectDuration,
          ...times,
        },
      ]
    })
    const times: RunTimes = { wallMs: performance.now() - this.#startedAt, files }
    mkdirSync(dirname(timesFile), { recursive: true })
    writeFileSync(timesFile, JSON.stringify(times))
  }
}
