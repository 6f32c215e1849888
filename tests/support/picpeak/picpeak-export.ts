import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { temporaryFolder } from '../run/temporary-folder.ts'
import type { PicPeakInstallation } from './picpeak-installation.ts'
import { type ForeignEntry, writeForeignZip } from './write-zip.ts'

type ExportOptions = { includesPhotos?: boolean; edit?: (files: Map<string, ForeignEntry>) => void }

/** Writes an installation as PicPeak exports it. Returns the path of the `.picpeak` file. */
export async function exportPicPeak(
  { rows, storage }: PicPeakInstallation,
  { includesPhotos = true, edit = () => undefined }: ExportOptions = {},
): Promise<string> {
  const files = new Map<string, ForeignEntry>()
  const put = (name: string, content: string | Buffer) => files.set(name, { name, bytes: Buffer.from(content) })
  const tables = Object.fromEntries(Object.entries(rows).map(([table, all]) => [table, { rowCount: all.length }]))
  const database = { engine: 'sqlite', latest_migration: '107_features.js' }
  const manifest = { format: 1, kind: 'picpeak-backup', app_version: '3.43.1', database, tables }
  put('manifest.json', JSON.stringify({ ...manifest, options: { includePhotos: includesPhotos } }))
  for (const [table, all] of Object.entries(rows)) {
    put(`data/${table}.ndjson`, all.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  for (const entry of includesPhotos ? await readdir(storage, { recursive: true, withFileTypes: true }) : []) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) put(`files/${relative(storage, path)}`, await readFile(path))
  }
  edit(files)
  const file = join(await temporaryFolder(), 'backup.picpeak')
  await writeFile(file, writeForeignZip([...files.values()]))
  return file
}
