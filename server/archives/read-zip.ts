import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { type RemoteFile, RemoteReader } from './remote-reader.ts'

export type ZipEntry = {
  /** A relative path with `/` that does not lead out of its folder. It is untrusted input. */
  name: string
  sizeBytes: number
  /** The checksum of the content, which `open` does not check. */
  crc32: number
  modifiedAt: number
  /** The stream fails if the size of the content is not `sizeBytes`. Rejects for an encrypted or damaged entry. */
  open: () => Promise<Readable>
}

export type OpenZip = {
  entries: readonly ZipEntry[]
  /** Names of entries that would lead out of the folder. They are not in `entries`. */
  unsafeNames: readonly string[]
  close: () => void
}

const maxEntries = 1_000_000

/** Opens a ZIP from another program, for reading its files. Throws an Error that says what is wrong with it. */
export async function openZip(place: string | RemoteFile): Promise<OpenZip> {
  // Names are decoded here, because yauzl would reject the whole ZIP for one invalid name.
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false } as const
  const zip =
    typeof place === 'string'
      ? await yauzl.openPromise(place, options)
      : await yauzl.fromRandomAccessReaderPromise(new RemoteReader(place), place.sizeBytes, options)
  try {
    return { ...(await listEntries(zip)), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function listEntries(zip: ZipFile): Promise<Pick<OpenZip, 'entries' | 'unsafeNames'>> {
  const entries: ZipEntry[] = []
  const unsafeNames: string[] = []
  for await (const entry of zip.eachEntry()) {
    const name = readName(entry)
    if (name.endsWith('/')) continue
    if (entries.length >= maxEntries) throw new Error(`it has more than ${maxEntries} entries`)
    const isSafe = name !== '' && !name.includes('\0') && yauzl.validateFileName(name) === null
    if (isSafe && isRegular(entry)) entries.push(createEntry(zip, entry, name))
    else unsafeNames.push(name)
  }
  return { entries, unsafeNames }
}

const createEntry = (zip: ZipFile, entry: Entry, name: string): ZipEntry => ({
  name,
  sizeBytes: entry.uncompressedSize,
  crc32: entry.crc32,
  modifiedAt: entry.getLastModDate({ timezone: 'UTC' }).getTime(),
  async open() {
    if (isBomb(entry)) throw new Error('the entry expands too much')
    return zip.openReadStreamPromise(entry)
  },
})

const maxCheapBytes = 256 * 2 ** 20
const maxExpansion = 100

/** Pictures and tables never become so much smaller. */
const isBomb = ({ compressedSize, uncompressedSize }: Entry): boolean =>
  uncompressedSize > maxCheapBytes && uncompressedSize > maxExpansion * compressedSize

/** Programs on Unix store the type of the file, such as a symbolic link, in the upper half of the attributes. */
function isRegular({ externalFileAttributes, versionMadeBy }: Entry): boolean {
  const isUnix = versionMadeBy >> 8 === 3
  const type = (externalFileAttributes >>> 16) & 0o170000
  return !isUnix || type === 0 || type === 0o100000
}

/** UTF-8 where the entry or its bytes say so: some programs do not set the flag. Otherwise CP437, the old standard. */
function readName({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const utf8Flag = isUtf8(fileNameRaw) ? 0x800 : 0
  return yauzl.getFileNameLowLevel(generalPurposeBitFlag | utf8Flag, fileNameRaw, extraFields, false)
}
