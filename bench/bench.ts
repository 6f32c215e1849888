/** `node bench/bench.ts [name…] [--quick]`: compares the service with the limits of the machine. */
import { parseArgs } from 'node:util'
import { buildServerIfStale } from '../tools/build-server.ts'
import { measureAdminUpload } from './admin-upload.ts'
import { measureBackground } from './background.ts'
import { measureChunked } from './chunked.ts'
import { measureDashboard } from './dashboard.ts'
import { measureGallery } from './gallery.ts'
import { measureHostileBodies } from './hostile-bodies.ts'
import { measureIngest } from './ingest.ts'
import { measureListLoad, measurePostgresListLoad } from './list-load.ts'
import { measureLists, measurePostgresLists } from './lists.ts'
import { measureMainThread } from './main-thread.ts'
import { measureMarks } from './marks.ts'
import { measureOriginals } from './originals.ts'
import { measurePackage } from './package.ts'
import { measureLargePicPeak, measurePicPeak } from './picpeak.ts'
import { measureRenditions } from './renditions.ts'
import { measureScrolling } from './scrolling.ts'
import { measureServing } from './serving.ts'
import { measureSlowSync } from './slow-sync.ts'
import { measureSoak } from './soak.ts'
import { measureStart } from './start.ts'
import { stopAllChildren } from './support/children.ts'
import { type Figure, printFigures } from './support/figures.ts'
import { machineLine, openWorkspace } from './support/machine.ts'
import type { Plan } from './support/plan.ts'
import { measureWebhooks } from './webhooks.ts'
import { measureZip } from './zip.ts'

const measurements: Record<string, (plan: Plan) => Promise<Figure[]>> = {
  background: measureBackground,
  chunked: measureChunked,
  dashboard: measureDashboard,
  'admin-upload': measureAdminUpload,
  gallery: measureGallery,
  'hostile-bodies': measureHostileBodies,
  ingest: measureIngest,
  'list-load': measureListLoad,
  'list-load-postgres': measurePostgresListLoad,
  lists: measureLists,
  'lists-postgres': measurePostgresLists,
  'main-thread': measureMainThread,
  marks: measureMarks,
  originals: measureOriginals,
  package: measurePackage,
  picpeak: measurePicPeak,
  'picpeak-large': measureLargePicPeak,
  renditions: measureRenditions,
  scrolling: measureScrolling,
  serving: measureServing,
  'slow-sync': measureSlowSync,
  soak: measureSoak,
  start: measureStart,
  webhooks: measureWebhooks,
  zip: measureZip,
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const names = positionals.length > 0 ? positionals : Object.keys(measurements)
const unknown = names.filter((name) => !Object.hasOwn(measurements, name))
if (unknown.length > 0 || process.platform !== 'linux') {
  console.error(
    `usage: npm run bench -- [${Object.keys(measurements).join(' | ')}]… [--quick], on Linux (it reads /proc)`,
  )
  process.exit(2)
}

await buildServerIfStale()
const plan: Plan = { workspace: openWorkspace(), pairs: values.quick ? 3 : 7, quick: values.quick }
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
