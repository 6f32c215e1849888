/** The npm package in an empty folder: its size, and its start and memory beside those of the checkout. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from './support/figures.ts'
import { measurePairs } from './support/pairs.ts'
import { bySize, type Plan } from './support/plan.ts'
import { readProportionalBytes } from './support/process-tree.ts'
import { startService } from './support/server-process.ts'

const root = join(import.meta.dirname, '..')

export async function measurePackage(plan: Plan): Promise<Figure[]> {
  const folder = install(plan)
  const installation = join(folder, 'node_modules/proofroom')
  const packages = execFileSync('npm', ['ls', '--all', '--parseable'], { cwd: folder, encoding: 'utf8' })
  const bytes = execFileSync('du', ['--summarize', '--bytes', 'node_modules'], { cwd: folder, encoding: 'utf8' })
  const restMs = bySize(plan, { full: 30_000, quick: 5_000, smallest: 0 })
  const measure = (options: { installation?: string }) => async (): Promise<Measured> => {
    const dataDir = join(plan.workspace, options.installation ? 'package-data' : 'checkout-data')
    const service = await startService(dataDir, options)
    await sleep(restMs)
    const memory = readProportionalBytes(service.pid) / 1e6
    await service.stop()
    return { start: service.startedInMs, memory }
  }
  console.log(`  npm installs ${packages.trim().split('\n').length - 1} packages`)
  const pairs = await measurePairs(plan.pairs, measure({}), measure({ installation }))
  return [
    { name: 'package: installed', unit: 'MB', samples: [Number.parseInt(bytes, 10) / 1e6] },
    { name: 'package: first answer, checkout', unit: 'ms', samples: pairs.map(({ limit }) => limit.start) },
    { name: 'package: first answer, package', unit: 'ms', samples: pairs.map(({ service }) => service.start) },
    { name: 'package: memory at rest, checkout', unit: 'MB', samples: pairs.map(({ limit }) => limit.memory) },
    { name: 'package: memory at rest, package', unit: 'MB', samples: pairs.map(({ service }) => service.memory) },
  ]
}

type Measured = { start: number; memory: number }

function install({ workspace }: Plan): string {
  execFileSync('npm', ['run', '--silent', 'package'], { cwd: root })
  const folder = join(workspace, 'package')
  mkdirSync(folder)
  const [tarball = ''] = readdirSync(join(root, 'dist/package'))
  execFileSync('npm', ['install', '--silent', join(root, 'dist/package', tarball)], { cwd: folder })
  return folder
}
