import { existsSync, type Stats } from 'node:fs'
import { constants, type FileHandle, lstat, mkdir, open } from 'node:fs/promises'
import { must } from '../../../contract/must.ts'

/** Bytes where a name need not be valid UTF-8. */
type Name = string | Buffer
export type Segments = readonly Name[]

/**
 * A file below a folder that others have filled. `root` may be or contain a link, because the operator has named it; the
 * functions here follow no symbolic link in `path`. A `path` that is text has slashes.
 */
export type FilePlace = { root: string | Buffer; path: string | Segments }

export type OpenFolder = {
  /** Also after the folder was moved or replaced, this path leads to the open folder. */
  path: Buffer
  /** Returns the path of an entry. */
  at: (name: Name) => Buffer
}

/** The file is a link or behind one, not a regular file, or too large. The message does not name it. */
export class UnsafeFile extends Error {
  readonly code = 'UNSAFE_FILE'
}

/** Linux opens entries of an open folder below this path. Elsewhere, paths are checked, but can be replaced afterwards. */
const openFiles = existsSync('/proc/self/fd') ? '/proc/self/fd' : null
/** O_PATH, which Node.js does not name: the permission to list the folder is not needed. */
const openPath = 0o10000000
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants
const slash = Buffer.from('/')

type Entered = { path: Buffer; close: () => Promise<void> }

/**
 * Passes the folder at `path` below `root` to `use`. With `creates`, makes missing folders. Throws UnsafeFile for a link in
 * `path`, and errors of the file system and of `use`.
 */
export async function withFolder<T>(
  { root, path }: FilePlace,
  use: (folder: OpenFolder) => Promise<T>,
  { creates = false } = {},
): Promise<T> {
  let shown: Buffer = Buffer.from(root)
  let entered = await enter(shown)
  try {
    for (const name of toSegments(path)) {
      const next = join(entered.path, name)
      if (creates) await mkdir(next).catch(ignoreExisting)
      if ((await lstat(next)).isSymbolicLink()) {
        throw new UnsafeFile(`${join(shown, name)} is a symbolic link, which is not followed.`)
      }
      const above = entered
      entered = await enter(next, O_NOFOLLOW)
      shown = join(shown, name)
      await above.close()
    }
    const { path: opened } = entered
    return await use({ path: opened, at: (name) => join(opened, name) })
  } catch (error) {
    // The path of an open folder means nothing to the operator.
    const { message } = error as Error
    if (openFiles !== null) (error as Error).message = message.replaceAll(entered.path.toString(), shown.toString())
    throw error
  } finally {
    await entered.close()
  }
}

async function enter(path: Buffer, flag = 0): Promise<Entered> {
  if (openFiles === null) return { path, close: async () => undefined }
  const handle = await open(path, openPath | O_DIRECTORY | flag)
  return { path: Buffer.from(`${openFiles}/${handle.fd}`), close: () => handle.close() }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

const join = (folder: Buffer, name: Name): Buffer => Buffer.concat([folder, slash, Buffer.from(name)])

/** Throws UnsafeFile for a name that leads to another folder. */
function toSegments(path: FilePlace['path']): Name[] {
  const segments = typeof path === 'string' ? path.split('/').filter((name) => name !== '') : [...path]
  for (const name of segments) {
    const text = name.toString()
    if (['', '.', '..'].includes(text) || /[/\0]/.test(text)) throw new UnsafeFile('The path leads out of its folder.')
  }
  return segments
}

/** Passes the folder that the file is in, and the name of the file, to `use`. Throws the errors of `withFolder`. */
export async function withParentFolder<T>(
  { root, path }: FilePlace,
  use: (folder: OpenFolder, name: Name) => Promise<T>,
  options?: { creates?: boolean },
): Promise<T> {
  const segments = toSegments(path)
  const name = must(segments.at(-1), 'a file name')
  return withFolder({ root, path: segments.slice(0, -1) }, (folder) => use(folder, name), options)
}

/** Opens a regular file for reading, without waiting for a pipe. Throws UnsafeFile and errors of the file system. */
export const openRegularFile = (place: FilePlace): Promise<FileHandle> =>
  withParentFolder(place, (folder, name) => openEntry(folder.at(name)))

async function openEntry(path: Buffer): Promise<FileHandle> {
  // Opening a device can have effects, so the kind of the file is checked first.
  const listed = await lstat(path)
  assertRegular(listed)
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const opened = await handle.stat()
    assertRegular(opened)
    if (O_NOFOLLOW === 0 && (opened.dev !== listed.dev || opened.ino !== listed.ino)) {
      throw new UnsafeFile('Another file has replaced it.')
    }
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

function assertRegular(stats: Stats): void {
  if (stats.isSymbolicLink()) throw new UnsafeFile('It is a symbolic link, which is not followed.')
  if (!stats.isFile()) throw new UnsafeFile('It is not a regular file.')
}

/**
 * Passes an open file to `use`, with a path for libraries that open files themselves. Throws the errors of
 * `openRegularFile` and of `use`.
 */
export async function withRegularFile<T>(
  place: FilePlace,
  use: (file: FileHandle, path: string) => Promise<T>,
): Promise<T> {
  const file = await openRegularFile(place)
  try {
    const path = openFiles === null ? toSegments(place.path).reduce(join, Buffer.from(place.root)) : null
    return await use(file, path === null ? `${openFiles}/${file.fd}` : path.toString())
  } finally {
    await file.close()
  }
}

/** Reads a whole file. Throws UnsafeFile, also for a file of more than `maxBytes`, and errors of the file system. */
export const readBounded = (place: FilePlace, maxBytes: number): Promise<Buffer> =>
  withRegularFile(place, async (file) => {
    const chunks: Buffer[] = []
    let length = 0
    const { size } = await file.stat()
    if (size <= maxBytes) {
      for await (const chunk of file.createReadStream({ start: 0, end: maxBytes, autoClose: false })) {
        chunks.push(chunk)
        length += chunk.length
      }
    }
    if (Math.max(size, length) > maxBytes) throw new UnsafeFile(`It is larger than ${maxBytes / 2 ** 20} MB.`)
    return Buffer.concat(chunks)
  })
