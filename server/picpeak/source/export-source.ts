import { text } from 'node:stream/consumers'
import Sqlite from 'better-sqlite3'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { Nullable } from '../../../contract/shapes.ts'
import { type OpenZip, openZip, type ZipEntry } from '../../archives/read-zip.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { writeStaged } from '../../platform/storage/write-staged.ts'
import { t } from '../../platform/text/command-messages.ts'
import { type ExportProblem, loadTable } from './export-tables.ts'
import { type SourceDatabase, SourceUnusable } from './source-database.ts'
import { type SourceFiles, toSourceZip } from './source-files.ts'
import { openTemporary } from './sqlite-source.ts'

/** Where a ZIP inside the export is written while it is read. */
export type ExportStaging = Pick<Storage, 'stage' | 'discard' | 'sync' | 'ensureSpaceFor'>

export type PicPeakExport = {
  database: SourceDatabase
  files: SourceFiles
  /** Whether it has originals. An export can leave them out. */
  hasOriginals: boolean
  problems: ExportProblem[]
}

const readFormat = 1
const maxManifestBytes = 256 * 2 ** 20
const maxTableBytes = 16 * 2 ** 30

const Manifest = Type.Object({
  kind: Type.Literal('picpeak-backup'),
  format: Type.Optional(Type.Union([Type.Number(), Type.String()])),
})

const Table = Type.Object({
  rowCount: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^\\d{1,15}$' })])),
})
const ManifestTables = Type.Object({
  // A name with a line break does not count as a name, and would not be checked.
  tables: Type.Optional(Nullable(Type.Record(Type.String(), Table, { additionalProperties: false }))),
})

/**
 * Opens a `.picpeak` file: a ZIP with `manifest.json`, the rows of each table in `data/{table}.ndjson`, and files of the
 * storage folder below `files/`. Throws SourceUnusable.
 */
export async function openExport(file: string, staging: ExportStaging): Promise<PicPeakExport> {
  const zip = await openZip(file).catch((error: Error) => {
    throw new SourceUnusable(t('exportUnreadable', { file, problem: error.message }))
  })
  try {
    const entries = new Map(zip.entries.map((entry) => [entry.name, entry]))
    const rowCounts = await readManifest(file, entries.get('manifest.json'))
    const problems: ExportProblem[] = []
    const database = await loadTables(file, zip, rowCounts, (problem) => problems.push(problem))
    const hasOriginals = zip.entries.some(({ name }) => name.startsWith('files/events/'))
    return { database, files: exportFiles(zip, entries, staging), hasOriginals, problems }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** Returns the numbers of rows by table. */
async function readManifest(file: string, entry: ZipEntry | undefined): Promise<Map<string, number>> {
  const unusable = (problem: string) => new SourceUnusable(t('exportUnreadable', { file, problem }))
  if (entry === undefined || entry.sizeBytes > maxManifestBytes) throw unusable(t('manifestMissing'))
  let manifest: unknown
  try {
    manifest = JSON.parse(await text(await entry.open()))
  } catch (error) {
    throw unusable(t('manifestDamaged', { problem: (error as Error).message }))
  }
  if (!Value.Check(Manifest, manifest)) throw unusable(t('manifestForeign'))
  if (Number(manifest.format) !== readFormat) {
    throw unusable(t('exportFormat', { format: String(manifest.format), known: readFormat }))
  }
  if (!Value.Check(ManifestTables, manifest)) throw unusable(t('manifestDamaged', { problem: 'tables' }))
  return new Map(Object.entries(manifest.tables ?? {}).map(([table, { rowCount }]) => [table, Number(rowCount)]))
}

async function loadTables(
  file: string,
  { entries }: OpenZip,
  rowCounts: ReadonlyMap<string, number>,
  report: (problem: ExportProblem) => void,
): Promise<SourceDatabase> {
  const tables = entries.flatMap((entry) => {
    const [, table] = /^data\/(\w+)\.ndjson$/.exec(entry.name) ?? []
    return table === undefined ? [] : [{ table, entry }]
  })
  const totalBytes = tables.reduce((sum, { entry }) => sum + entry.sizeBytes, 0)
  if (totalBytes > maxTableBytes) throw new SourceUnusable(t('exportTooLarge', { file }))
  for (const table of rowCounts.keys()) {
    if (!tables.some((one) => one.table === table)) report({ table, id: t('allRows'), reason: t('exportLacksTable') })
  }
  return openTemporary(async (path) => {
    const sqlite = new Sqlite(path)
    sqlite.pragma('journal_mode = off')
    sqlite.pragma('synchronous = off')
    for (const { table, entry } of tables) {
      const rows = await loadTable(sqlite, table, entry, report)
      const expected = rowCounts.get(table) ?? rows
      if (rows < expected) report({ table, id: t('allRows'), reason: t('exportLacksRows', { rows, expected }) })
    }
    return sqlite
  })
}

function exportFiles(zip: OpenZip, entries: ReadonlyMap<string, ZipEntry>, staging: ExportStaging): SourceFiles {
  const find = (path: string) => entries.get(`files/${path}`)
  return {
    async find(path) {
      const entry = find(path)
      return entry ? { place: null, ...entry } : null
    },
    async openZip(path) {
      const entry = find(path)
      if (!entry) return null
      // A ZIP is read in any order, which the compressed stream does not allow.
      await staging.ensureSpaceFor(entry.sizeBytes)
      const staged = await entry
        .open()
        .then((stream) => writeStaged(staging, stream))
        .catch(() => null)
      if (staged === null) return null
      try {
        return toSourceZip(await openZip(staged.path))
      } catch {
        return null
      } finally {
        // The open file stays readable without its name.
        await staged.synced.catch(() => undefined)
        await staging.discard(staged.path)
      }
    },
    close: () => zip.close(),
  }
}
