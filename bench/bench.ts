/** `node bench/bench.ts [name…] [--quick | --smallest]`: compares the service with the limits of the machine. */
import { parseArgs } from 'node:util'
import { buildServerIfStale } from '../tools/build-server.ts'
import { measureCameraFiles } from './camera-files.ts'
import { measureChunked } from './chunked.ts'
import { measureGallery } from './gallery.ts'
import { measureHostileBodies } from './hostile-bodies.ts'
import { measureIngest } from './ingest.ts'
import { measureListLoad } from './list-load.ts'
import { measureLists, measurePostgresLists } from './lists.ts'
import { measureMarks } from './marks.ts'
import { measurePackage } from './package.ts'
import { measureServing } from './serving.ts'
import { measureSoak } from './soak.ts'
import { measureStart } from './start.ts'
import { stopAllChildren } from './support/children.ts'
import { type Figure, printFigures } from './support/figures.ts'
import { machineLine, openWorkspace } from './support/machine.ts'
import type { Plan } from './support/plan.ts'
import { measureWebhooks } from './webhooks.ts'
import { measureZip } from './zip.ts'

const measurements: Record<string, (plan: Plan) => Promise<Figure[]>> = {
  'camera-files': measureCameraFiles,
  chunked: measureChunked,
  gallery: measureGallery,
  'hostile-bodies': measureHostileBodies,
  ingest: measureIngest,
  'list-load': measureListLoad,
  lists: measureLists,
  'lists-postgres': measurePostgresLists,
  marks: measureMarks,
  package: measurePackage,
  serving: measureServing,
  soak: measureSoak,
  start: measureStart,
  webhooks: measureWebhooks,
  zip: measureZip,
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, smallest: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const all = Object.keys(measurements)
// The package is built in the folders from which tests run at the same time.
const names = positionals.length > 0 ? positionals : all.filter((name) => !values.smallest || name !== 'package')
const unknown = names.filter((name) => !Object.hasOwn(measurements, name))
if (unknown.length > 0 || process.platform !== 'linux') {
  console.error(`usage: npm run bench -- [${all.join(' | ')}]… [--quick | --smallest], on Linux (it reads /proc)`)
  process.exit(2)
}

await buildServerIfStale()
const size = values.smallest ? 'smallest' : values.quick ? 'quick' : 'full'
const plan: Plan = { workspace: openWorkspace(), pairs: { full: 7, quick: 3, smallest: 1 }[size], size }
const figures: Figure[] = []
console.log(machineLine())
for (const name of names) {
  console.log(`\n${name}`)
  try {
    figures.push(...((await measurements[name]?.(plan)) ?? []))
  } catch (error) {
    console.error(`  ${name} could not be measured:`, error)
    process.exitCode = 1
  } finally {
    await stopAllChildren(25)
  }
}
console.log()
printFigures(figures)
console.log(machineLine())
process.exit()
