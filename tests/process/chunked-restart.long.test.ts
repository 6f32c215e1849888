import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hours } from '../../server/platform/time/clock.ts'
import { expectProblem } from '../support/clients/problems.ts'
import { changeDatabase } from '../support/database/service-database.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { startKillableService } from '../support/service/killable-service.ts'
import { type ChunkedSession, openSession } from '../support/uploads/chunked-client.ts'
import {
  chunkBytes,
  createVersionedFile,
  readVersions,
  type VersionedFile,
} from '../support/uploads/chunked-versions.ts'

const concurrentSends = 3

type Sent = { file: VersionedFile; session: ChunkedSession; confirmed: Set<number> }

test('after a kill during uploads in chunks, clients resume, and sessions that expired meanwhile are removed', async () => {
  const service = await startKillableService()
  const { id: eventId } = await createEvent(service.api())
  const open = async (sizeBytes: number): Promise<Sent> => ({
    file: createVersionedFile(sizeBytes),
    session: await openSession(service.address, eventId, sizeBytes),
    confirmed: new Set(),
  })
  const [ended, unfinished] = [await open(chunkBytes + 5000), await open(chunkBytes + 5000)]
  for (const { session, file } of [ended, unfinished]) {
    expect((await session.send(0, file.chunk(0, 1)))?.status).toBe(200)
  }
  const folder: Sent[] = []
  for (const sizeBytes of [3 * chunkBytes, 2 * chunkBytes + 1000, chunkBytes + 77, 5000])
    folder.push(await open(sizeBytes))
  const all = folder.flatMap((sent) => Array.from({ length: sent.file.chunks }, (_, index) => ({ sent, index })))
  const confirmed = () => all.filter(({ sent, index }) => sent.confirmed.has(index)).length

  const killed = expect.poll(confirmed, { interval: 2 }).toBeGreaterThan(3).then(service.kill)
  await sendConcurrently(all, 1)
  await killed
  await changeDatabase(service.stored, (stored) => {
    const change = stored.prepare('update chunked_uploads set expires_at = ? where id = ?')
    change.run(Date.now() - hours(2), ended.session.path.split('/').at(-1))
  })
  const before = new Date(Date.now() - hours(26))
  for (const path of await service.listStaged()) {
    await utimes(join(service.stored.dataDir, 'media', path), before, before)
  }
  await service.restart()

  const missing: typeof all = []
  for (const sent of folder) {
    const { body } = await sent.session.status()
    expect(body.status).toBe('in_progress')
    for (const index of sent.confirmed) expect(body.receivedIndexes).toContain(index)
    for (let index = 0; index < sent.file.chunks; index++) {
      if (!body.receivedIndexes.includes(index)) missing.push({ sent, index })
    }
  }
  expect(missing.length).toBeGreaterThan(0)
  await sendConcurrently(missing, 2)
  expect(confirmed()).toBeGreaterThanOrEqual(all.length - concurrentSends)

  for (const { file, session } of folder) {
    const { status, body } = await session.complete()
    expect(status).toBe(200)
    const { bytes } = await service.api().get(`/api/v1/events/${eventId}/photos/${body.photos[0].id}/download`)
    // 1: the chunk was received before the kill. 2: it was sent again.
    for (const version of readVersions(file, bytes)) expect([1, 2]).toContain(version)
  }
  expectProblem(await ended.session.status(), 404, 'NOT_FOUND')
  await expect.poll(service.listStaged).toHaveLength(1)
  expect((await unfinished.session.status()).body.receivedIndexes).toEqual([0])
  expect((await unfinished.session.abort()).status).toBe(200)
  await expect.poll(service.listStaged).toEqual([])
})

/** Sends a few chunks at a time and records those with status 200. A broken connection is not an error. */
async function sendConcurrently(chunks: ReadonlyArray<{ sent: Sent; index: number }>, version: number): Promise<void> {
  const left = [...chunks]
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { sent, index } = next
      const response = await sent.session.send(index, sent.file.chunk(index, version), { pauseMs: 5 })
      if (response?.status === 200) sent.confirmed.add(index)
    }
  }
  await Promise.all(Array.from({ length: concurrentSends }, worker))
}
