import type { BytePatch } from '../../storage/byte-patches.ts'
import { crc32Change } from '../../storage/crc32-arithmetic.ts'

import type { ReadAt } from '../read-at.ts'

export type Piece = { at: number; length: number }

/** The file is malformed, or reading it exceeds a limit. */
export class ReadLimitExceeded extends Error {}

const pageBytes = 65_536
const maxPages = 256
/** Limit for the sum of all accesses to one file. Each access counts as its bytes and `accessCost`. */
const maxWork = 2 ** 25
const accessCost = 256
/** Reads up to this size do not load a page, because most of them read headers of skipped pieces. */
const smallBytes = 64

type Page = { before: Buffer; after: Buffer }

/** A file that is edited in memory. Throws ReadLimitExceeded beyond 16 MiB of loaded pages or 32 MiB of accesses. */
export class EditedFile {
  readonly sizeBytes: number
  readonly #readFile: ReadAt
  readonly #pages = new Map<number, Page>()
  #work = 0
  /** Increases with each write that changes bytes. */
  edits = 0

  constructor(readFile: ReadAt, sizeBytes: number) {
    this.#readFile = readFile
    this.sizeBytes = sizeBytes
  }

  /** Returns the edited bytes; fewer at the end of the file. */
  async read(at: number, length: number): Promise<Buffer> {
    const readLength = Math.max(0, Math.min(length, this.sizeBytes - at))
    this.#countRead(readLength)
    const first = Math.floor(at / pageBytes)
    const isOnOnePage = Math.floor((at + readLength - 1) / pageBytes) === first
    if (readLength <= smallBytes && !(isOnOnePage && this.#pages.has(first))) return this.#readSmall(at, readLength)
    const bytes = Buffer.alloc(readLength)
    await this.#eachPage(at, readLength, ({ after }, from, to, done) => after.copy(bytes, done, from, to))
    return bytes
  }

  async readPieces(pieces: readonly Piece[]): Promise<Buffer> {
    const parts: Buffer[] = []
    for (const { at, length } of pieces) parts.push(await this.read(at, length))
    return Buffer.concat(parts)
  }

  async write(at: number, bytes: Buffer): Promise<void> {
    const length = Math.min(bytes.length, this.sizeBytes - at)
    this.#countRead(length)
    await this.#eachPage(at, length, ({ after }, from, to, done) => {
      const part = bytes.subarray(done, done + to - from)
      if (!after.subarray(from, to).equals(part)) this.edits++
      part.copy(after, from)
    })
  }

  async writePieces(pieces: readonly Piece[], bytes: Buffer): Promise<void> {
    let done = 0
    for (const { at, length } of pieces) {
      await this.write(at, bytes.subarray(done, done + length))
      done += length
    }
  }

  async fill(at: number, length: number, value: number): Promise<void> {
    const fillLength = Math.min(length, this.sizeBytes - at)
    this.#countRead(fillLength)
    await this.#eachPage(at, fillLength, ({ after }, from, to) => {
      const isFilled = after.subarray(from, to).every((byte) => byte === value)
      if (!isFilled) this.edits++
      after.fill(value, from, to)
    })
  }

  /** `crc32Change`: the value to XOR with the CRC-32 of the file. */
  changes(): { patches: BytePatch[]; crc32Change: number } {
    const patches: BytePatch[] = []
    let change = 0
    for (const [page, { before, after }] of [...this.#pages].sort(([a], [b]) => a - b)) {
      if (before.equals(after)) continue
      const start = page * pageBytes
      change = (change ^ crc32Change(before, after, this.sizeBytes - start - before.length)) >>> 0
      for (const { at, length } of differences(before, after)) {
        patches.push({ at: start + at, bytes: after.subarray(at, at + length) })
      }
    }
    return { patches, crc32Change: change }
  }

  #countRead(bytes: number): void {
    this.#work += Math.max(bytes, 0) + accessCost
    if (this.#work > maxWork) throw new ReadLimitExceeded()
  }

  async #readSmall(at: number, length: number): Promise<Buffer> {
    const bytes = await this.#readFile(at, length)
    for (const [page, { after }] of this.#pages) {
      const start = page * pageBytes
      const [from, to] = [Math.max(at, start), Math.min(at + length, start + after.length)]
      if (from < to) after.copy(bytes, from - at, from - start, to - start)
    }
    return bytes
  }

  async #eachPage(
    at: number,
    length: number,
    use: (page: Page, from: number, to: number, done: number) => void,
  ): Promise<void> {
    for (let done = 0; done < length; ) {
      const number = Math.floor((at + done) / pageBytes)
      const page = this.#pages.get(number) ?? (await this.#load(number))
      const from = at + done - number * pageBytes
      const to = Math.min(page.after.length, from + length - done)
      if (to <= from) return
      use(page, from, to, done)
      done += to - from
    }
  }

  async #load(number: number): Promise<Page> {
    if (this.#pages.size >= maxPages) throw new ReadLimitExceeded()
    const before = await this.#readFile(number * pageBytes, pageBytes)
    const page = { before, after: Buffer.from(before) }
    this.#pages.set(number, page)
    return page
  }
}

/** Differences that are at most this far apart become one patch. */
const nearBytes = 16

function* differences(before: Buffer, after: Buffer): Generator<Piece> {
  let start = -1
  let last = -1
  for (let at = 0; at < after.length; at++) {
    if (before[at] === after[at]) continue
    if (start >= 0 && at - last > nearBytes) {
      yield { at: start, length: last - start + 1 }
      start = at
    }
    if (start < 0) start = at
    last = at
  }
  if (start >= 0) yield { at: start, length: last - start + 1 }
}
