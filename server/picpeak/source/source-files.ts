import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { SourceUnusable } from './source-database.ts'

export type SourceFile = {
  /** The path on the disk; null for a file inside a ZIP. */
  path: string | null
  sizeBytes: number
  open: () => Promise<Readable>
}

/** The storage folder of another installation. It is only read. */
export type SourceFiles = {
  /** `path` is relative to the folder. Returns null if there is no such file, or if it is outside of the folder. */
  find: (path: string) => Promise<SourceFile | null>
  /** Returns the files of a ZIP by name, or null if there is no ZIP that can be read. */
  openZip: (path: string) => Promise<SourceZip | null>
}

export type SourceZip = {
  files: ReadonlyMap<string, SourceFile>
  close: () => void
}

/** Throws SourceUnusable. */
export async function openSourceFolder(folder: string): Promise<SourceFiles> {
  const root = await realpath(folder).catch(() => null)
  if (root === null) throw new SourceUnusable(`There is no folder ${folder}.`)

  const locate = async (path: string): Promise<{ path: string; sizeBytes: number } | null> => {
    if (path.includes('\0')) return null
    const real = await realpath(join(root, path)).catch(() => null)
    if (real === null || !real.startsWith(root + sep)) return null
    const found = await stat(real).catch(() => null)
    return found?.isFile() ? { path: real, sizeBytes: found.size } : null
  }

  return {
    async find(path) {
      const found = await locate(path)
      return found && { ...found, open: async () => createReadStream(found.path, { highWaterMark: 2 ** 20 }) }
    },
    async openZip(path) {
      const found = await locate(path)
      return found && readZip(found.path).catch(() => null)
    },
  }
}

/** A ZIP has as many entries as an event has photos. */
const maxEntries = 1_000_000

async function readZip(path: string): Promise<SourceZip> {
  const zip = await yauzl.openPromise(path, { autoClose: false, lazyEntries: true })
  const files = new Map<string, SourceFile>()
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue
      if (files.size >= maxEntries) throw new Error(`${path} has too many entries`)
      const file = { path: null, sizeBytes: entry.uncompressedSize, open: () => zip.openReadStreamPromise(entry) }
      files.set(entry.fileName, file)
    }
  } catch (error) {
    zip.close()
    throw error
  }
  return { files, close: () => zip.close() }
}
