import type { FilePlace } from '../../platform/storage/untrusted-files.ts'
import type { FileMarks } from './file-marks.ts'
import type { KnownShot } from './shot-facts.ts'
import type { SyncOptions } from './sync-options.ts'

/** A file that gets marks. `found` is null for a new sidecar, and for a picture without an XMP packet. */
export type Target = {
  root: string
  path: string
  /** The file that a new sidecar belongs to, or the file itself. */
  of: FilePlace
  isEmbedded: boolean
  found: FileMarks | null
  /** Null for a new sidecar. */
  modifiedAt: number | null
}

/**
 * Returns the sidecars that exist, new ones for raw files without one, and if marks are embedded, the JPEG and DNG files
 * themselves instead of new sidecars.
 */
export function findTargets(
  { markedSidecars, embedded, raws, sidecars }: KnownShot,
  { hasFullNames, isEmbedding, folder }: Pick<SyncOptions, 'hasFullNames' | 'isEmbedding' | 'folder'>,
): Target[] {
  const marked = [...markedSidecars, ...(isEmbedding ? embedded : [])].map(({ file, isEmbedded, found }) => ({
    ...file,
    of: file,
    isEmbedded,
    found,
  }))
  const added = new Map<string, Target>()
  for (const raw of raws) {
    if (sidecars.some(({ of }) => of === raw)) continue
    if (isEmbedding && /\.dng$/i.test(raw.path)) continue
    const path = `${hasFullNames ? raw.path : raw.path.replace(/\.[^./]*$/, '')}.xmp`
    added.set(path, { root: folder, path, of: raw, isEmbedded: false, found: null, modifiedAt: null })
  }
  return [...marked, ...added.values()]
}
