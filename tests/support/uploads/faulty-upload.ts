import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { TestResponse } from '../clients/test-client.ts'
import type { KillableService } from '../service/killable-service.ts'
import type { ChunkedSession, ChunkResponse } from './chunked-client.ts'
import type { PlannedRound, PlannedSend } from './chunked-plans.ts'
import { chunkBytes, type VersionedFile } from './chunked-versions.ts'

/**
 * An upload of one file in chunks, with the versions of each chunk that may be stored. No two sends have the same
 * bytes.
 */
export class FaultyUpload {
  readonly file: VersionedFile
  readonly session: ChunkedSession
  readonly #service: KillableService
  readonly #histories: ChunkHistory[]
  #lastVersion = 0

  constructor(service: KillableService, session: ChunkedSession, file: VersionedFile) {
    this.file = file
    this.session = session
    this.#service = service
    this.#histories = Array.from({ length: file.chunks }, () => new ChunkHistory())
  }

  /** Returns the versions that a chunk may have now. null: it may be missing. */
  holdings(index: number): ReadonlySet<number | null> {
    return this.#histories[index]?.holdings() ?? new Set()
  }

  /** Runs the sends of a round concurrently. Restarts the service when the round has killed it. */
  async run({ sends, killAfterMs }: PlannedRound): Promise<void> {
    const isKilled = killAfterMs !== null
    const ended = Promise.all(sends.map((planned) => this.#sendAsPlanned(planned, isKilled)))
    // Prevents an unhandled rejection. Errors are thrown below.
    ended.catch(() => undefined)
    if (isKilled) {
      // The moment of the kill comes from the random plan.
      await sleep(killAfterMs)
      await this.#service.kill()
    }
    await ended
    if (isKilled) await this.#service.restart()
  }

  /** Sends a new version of a whole chunk. The status must be in `expected`. */
  sendWholeChunk(index: number, expected: readonly number[] = [200]): Promise<ChunkResponse | null> {
    return this.#send(index, { mode: 'whole', expected })
  }

  async sendAll(indexes: readonly number[]): Promise<void> {
    await Promise.all(indexes.map((index) => this.sendWholeChunk(index)))
  }

  /** Returns the chunks that the session reports as missing. Asserts that the report agrees with the sends. */
  async missing(): Promise<number[]> {
    const { status, body } = await this.session.status()
    expect([status, body.fileSize, body.expectedChunks]).toEqual([200, this.file.sizeBytes, this.file.chunks])
    expect(body.receivedChunks).toBe(body.receivedIndexes.length)
    const all = Array.from({ length: this.file.chunks }, (_, index) => index)
    const missing = all.filter((index) => !body.receivedIndexes.includes(index))
    for (const index of all) {
      const holdings = this.holdings(index)
      if (!holdings.has(null)) expect(missing, `chunk ${index} was answered 200`).not.toContain(index)
      if (holdings.size === 1 && holdings.has(null)) expect(missing, `chunk ${index} never came`).toContain(index)
    }
    return missing
  }

  /** Repeats the request while the status is 409 or 503, for example while another request completes the upload. */
  async complete(): Promise<TestResponse> {
    let response = await this.session.complete()
    const isFinal = async () => {
      if (![409, 503].includes(response.status)) return true
      response = await this.session.complete()
      return false
    }
    await vi.waitUntil(isFinal, { timeout: 60_000, interval: 100 })
    return response
  }

  async #sendAsPlanned(planned: PlannedSend, isKilled: boolean): Promise<void> {
    // The start of each send comes from the random plan.
    await sleep(planned.afterMs)
    const { mode, pauseMs, hasContentLength, cutAt } = planned
    const expected = { whole: [200], cut: [], short: [400], long: [400, 413] }[mode]
    await this.#send(planned.index % this.file.chunks, { mode, pauseMs, hasContentLength, cutAt, expected, isKilled })
  }

  async #send(
    index: number,
    sending: Pick<PlannedSend, 'mode'> & Partial<PlannedSend> & { expected: readonly number[]; isKilled?: boolean },
  ): Promise<ChunkResponse | null> {
    const { mode, cutAt = 0, expected, isKilled = false } = sending
    const version = ++this.#lastVersion
    const whole = this.file.chunk(index, version)
    const bytes = { whole, cut: whole, short: whole.subarray(1), long: Buffer.concat([whole, Buffer.from('!')]) }[mode]
    const cutAtBytes = mode === 'cut' ? Math.floor(cutAt * whole.length) : undefined
    const recordEnd = this.#histories[index]?.begin(version, mode === 'whole')
    const response = await this.session.send(index, bytes, {
      ...sending,
      ...(cutAtBytes !== undefined && { cutAtBytes }),
    })
    recordEnd?.(classifyResult(response))
    const isExpected = response ? expected.includes(response.status) : isKilled || mode === 'cut'
    if (!isExpected) {
      const received = response ? `${response.status} ${JSON.stringify(response.body)}` : 'no answer'
      throw new Error(`Chunk ${index}, sent ${mode} (${bytes.length} of ${chunkBytes} bytes): ${received}`)
    }
    return response
  }
}

function classifyResult(response: ChunkResponse | null): SendResult {
  if (!response) return 'unanswered'
  if (response.status === 409) return 'not begun'
  return response.status === 200 ? 'stored' : 'refused'
}

/** `stored`: status 200. `not begun`: status 409. `refused`: any other status. `unanswered`: no response. */
type SendResult = 'stored' | 'refused' | 'not begun' | 'unanswered'

type Send = { version: number; canBeStored: boolean; end: SendResult | null }

/**
 * Tracks the versions of a chunk that the service may have stored; null in the set means that it may have stored none.
 * Overlapping sends can take effect in any order. Other sends take effect one after another.
 */
class ChunkHistory {
  #holdings = new Set<number | null>([null])
  #overlapping: Send[] = []

  /**
   * Records the start of a send. The returned function records its end. `canBeStored`: the whole chunk is sent, so the
   * service may store it.
   */
  begin(version: number, canBeStored: boolean): (end: SendResult) => void {
    if (this.#overlapping.every(({ end }) => end !== null)) this.#settle()
    const send: Send = { version, canBeStored, end: null }
    this.#overlapping.push(send)
    return (end) => {
      send.end = end
    }
  }

  /** Returns the versions that may be stored. Call this only while no send is running. */
  holdings(): ReadonlySet<number | null> {
    this.#settle()
    return this.#holdings
  }

  #settle(): void {
    this.#holdings = applySends(this.#holdings, this.#overlapping)
    this.#overlapping = []
  }
}

function applySends(before: Set<number | null>, sends: readonly Send[]): Set<number | null> {
  const begun = sends.filter(({ end }) => end !== 'not begun')
  const after = new Set<number | null>()
  for (const { version, canBeStored } of begun) if (canBeStored) after.add(version)
  // A stored send replaces the earlier versions. A send with another end may leave the chunk without any version.
  if (begun.some(({ end }) => end !== 'stored')) after.add(null)
  if (!begun.some(({ end }) => end === 'stored')) for (const holding of before) after.add(holding)
  return after
}
