import type { EditedFile } from '../location/edited-file.ts'
import type { ReadAt } from '../read-at.ts'

/** A file that is read within limits. After them, reads return no bytes, as at the end of the file. */
export type RawSource = {
  sizeBytes: number
  /** Returns at most 4 KiB. */
  read: ReadAt
  isExhausted(): boolean
}

/** More than the largest directory that is read. Together, all windows have 1 MiB. */
const windowBytes = 4096
const maxWindows = 256
/** Real files take fewer than 200. */
const maxAccesses = 5000

type Window = { at: number; bytes: Buffer }

/** Calls `readFile` at most 256 times for 1 MiB in all, and keeps what it returns. Throws only the errors of `readFile`. */
export function limitReads(readFile: ReadAt, sizeBytes: number): RawSource {
  const windows: Window[] = []
  let accesses = 0
  let isExhausted = false

  async function load(at: number): Promise<Window | null> {
    if (windows.length === maxWindows) return null
    const window = { at, bytes: await readFile(at, Math.min(windowBytes, sizeBytes - at)) }
    windows.push(window)
    return window
  }

  async function read(at: number, length: number): Promise<Buffer> {
    const end = Math.min(at + Math.min(length, windowBytes), sizeBytes)
    if (end <= at) return Buffer.alloc(0)
    const isAllowed = ++accesses <= maxAccesses
    const known = windows.findLast((window) => window.at <= at && end <= window.at + window.bytes.length)
    const window = isAllowed ? (known ?? (await load(at))) : null
    isExhausted ||= window === null
    return window ? window.bytes.subarray(at - window.at, end - window.at) : Buffer.alloc(0)
  }

  return { sizeBytes, read, isExhausted: () => isExhausted }
}

export const limitFile = (file: EditedFile): RawSource =>
  limitReads((at, length) => file.read(at, length), file.sizeBytes)
