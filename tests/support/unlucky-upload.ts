import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { ChunkHistory, type SendEnd } from './chunk-history.ts'
import type { ChunkAnswer, ChunkedSession } from './chunked-client.ts'
import type { PlannedRound, PlannedSend } from './chunked-plans.ts'
import { chunkBytes, type VersionedFile } from './chunked-versions.ts'
import type { KilledService } from './killed-service.ts'
import type { Answer } from './test-client.ts'

/** An upload of one file in chunks, with what the sender knows about each chunk. No two sends have the same bytes. */
export class UnluckyUpload {
  readonly file: VersionedFile
  readonly session: ChunkedSession
  readonly #service: KilledService
  readonly #histories: ChunkHistory[]
  #lastVersion = 0

  constructor(service: KilledService, session: ChunkedSession, file: VersionedFile) {
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
  sendWhole(index: number, expected: readonly number[] = [200]): Promise<ChunkAnswer | null> {
    return this.#send(index, { manner: 'whole', expected })
  }

  async sendAll(indexes: readonly number[]): Promise<void> {
    await Promise.all(indexes.map((index) => this.sendWhole(index)))
  }

  /** Returns the missing chunks by the status of the session, which must match what the sender knows. */
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

  /** Repeats the request while another request completes the upload. */
  async complete(): Promise<Answer> {
    let answer = await this.session.complete()
    const isAnswer = async () => {
      if (![409, 503].includes(answer.status)) return true
      answer = await this.session.complete()
      return false
    }
    await vi.waitUntil(isAnswer, { timeout: 20_000, interval: 100 })
    return answer
  }

  async #sendAsPlanned(planned: PlannedSend, isKilled: boolean): Promise<void> {
    // The start of each send comes from the random plan.
    await sleep(planned.afterMs)
    const { manner, pauseMs, isDeclared, cutAt } = planned
    const expected = { whole: [200], cut: [], short: [400], long: [400, 413] }[manner]
    await this.#send(planned.index % this.file.chunks, { manner, pauseMs, isDeclared, cutAt, expected, isKilled })
  }

  async #send(
    index: number,
    sending: Pick<PlannedSend, 'manner'> & Partial<PlannedSend> & { expected: readonly number[]; isKilled?: boolean },
  ): Promise<ChunkAnswer | null> {
    const { manner, cutAt = 0, expected, isKilled = false } = sending
    const version = ++this.#lastVersion
    const whole = this.file.chunk(index, version)
    const bytes = { whole, cut: whole, short: whole.subarray(1), long: Buffer.concat([whole, Buffer.from('!')]) }[
      manner
    ]
    const cutAtBytes = manner === 'cut' ? Math.floor(cutAt * whole.length) : undefined
    const recordEnd = this.#histories[index]?.begin(version, manner === 'whole')
    const answer = await this.session.send(index, bytes, {
      ...sending,
      ...(cutAtBytes !== undefined && { cutAtBytes }),
    })
    recordEnd?.(endOf(answer))
    const isExpected = answer ? expected.includes(answer.status) : isKilled || manner === 'cut'
    if (!isExpected) {
      const told = answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'no answer'
      throw new Error(`Chunk ${index}, sent ${manner} (${bytes.length} of ${chunkBytes} bytes): ${told}`)
    }
    return answer
  }
}

function endOf(answer: ChunkAnswer | null): SendEnd {
  if (!answer) return 'unanswered'
  if (answer.status === 409) return 'not begun'
  return answer.status === 200 ? 'stored' : 'refused'
}
