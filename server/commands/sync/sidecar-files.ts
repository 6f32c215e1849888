import { randomBytes } from 'node:crypto'
import { copyFile, constants as fsConstants, link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ColorLabel } from '../../../contract/color-labels.ts'
import type { LabelNames } from '../../feedback/label-names.ts'
import { mergeXmp } from '../../platform/xmp/merge-xmp.ts'
import { readXmp } from '../../platform/xmp/read-xmp.ts'
import { RejectedXmp } from '../../platform/xmp/rejected-xmp.ts'
import { maxXmpBytes } from '../../platform/xmp/xmp-encoding.ts'
import type { Marks } from './decide-marks.ts'
import { toFileMarks } from './file-marks.ts'

export type ReadSidecar = { marks: Marks; identity: string | null }

/** Throws RejectedXmp. */
export async function readSidecar(path: string): Promise<ReadSidecar> {
  const values = readXmp(await readBounded(path))
  return { marks: toFileMarks(values), identity: values.identity }
}

/** Returns the message of a rejected sidecar or of the file system. Throws any other error. */
export function describeFileError(error: unknown): string {
  if (error instanceof RejectedXmp) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  return message
}

export type SidecarChange = { write: Partial<Marks>; labels: LabelNames; identity: string }

/**
 * Writes marks into a sidecar, or makes one. All its other content stays. The first version of a sidecar is kept beside
 * it. Returns false if the file has the marks already. Throws RejectedXmp and errors of the file system.
 */
export async function writeSidecar(path: string, { write, labels, identity }: SidecarChange): Promise<boolean> {
  const existing = await readBounded(path).catch((error) => (error.code === 'ENOENT' ? null : Promise.reject(error)))
  const before = existing ?? emptySidecar
  const merged = mergeXmp(before, {
    identity,
    ...(write.rating !== undefined && { rating: write.rating ?? 0 }),
    ...(write.color !== undefined && { label: { text: labelText(labels, write.color), color: write.color } }),
  })
  if (existing?.equals(merged)) return false
  if (existing) await keepFirstVersion(path)
  await replaceFile(path, merged)
  return true
}

const labelText = (labels: LabelNames, color: ColorLabel | null): string => (color === null ? '' : labels[color])

async function readBounded(path: string): Promise<Buffer> {
  const { size } = await stat(path)
  if (size > maxXmpBytes) throw new RejectedXmp('size', 'The file is larger than 4 MB.')
  return readFile(path)
}

/** Hidden, so that no program takes it for a sidecar. */
const backupPath = (path: string): string =>
  join(dirname(path), `.${path.slice(dirname(path).length + 1)}.before-proofroom`)

async function keepFirstVersion(path: string): Promise<void> {
  const copy = `${backupPath(path)}.${randomBytes(4).toString('hex')}`
  try {
    await copyFile(path, copy, fsConstants.COPYFILE_EXCL)
    await syncFile(copy)
    // Fails if there is a backup: only the first version is kept.
    await link(copy, backupPath(path)).catch((error) =>
      error.code === 'EEXIST' ? undefined : rename(copy, backupPath(path)),
    )
  } finally {
    await rm(copy, { force: true })
  }
}

/** At any time, the file is whole: either the old or the new version. */
async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.proofroom-part`)
  try {
    const mode = await stat(path).then(
      ({ mode }) => mode & 0o777,
      () => 0o666 & ~process.umask(),
    )
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}

const emptySidecar = Buffer.from(`<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"/>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
`)
