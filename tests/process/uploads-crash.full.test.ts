import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TestClient, TestResponse } from '../support/clients/test-client.ts'
import { changeDatabase } from '../support/database/service-database.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { loadPhotos } from '../support/fixtures/imports.ts'
import { jpeg } from '../support/media/pictures.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { startKillableService } from '../support/service/killable-service.ts'

const rounds = isLongRun ? 6 : 1
const workers = 6

type Photo = { id: number; content_hash: string }

test('kill -9 during uploads: confirmed photos are stored, and the others succeed once with the same key', async () => {
  const service = await startKillableService()
  const { id: eventId } = await createEvent(service.api())
  /** By key. null: the upload is not confirmed. */
  const uploads = new Map<string, Photo | null>()
  const listOpen = () => [...uploads].flatMap(([key, photo]) => (photo === null ? [key] : []))
  let openCount = 0

  for (let round = 0; round < rounds; round++) {
    const api = service.api()
    const before = uploads.size
    const isConfirmed = () => uploads.size - listOpen().length > before + 1
    const keepUploading = async (_: unknown, worker: number) => {
      for (let count = 0; ; count++) {
        const key = `${round}-${worker}-${count}`
        uploads.set(key, null)
        // The connection breaks when the service is killed.
        const response = await send(api, eventId, key).catch(() => null)
        if (response?.status !== 201) return
        uploads.set(key, response.body)
      }
    }
    const working = Promise.all(Array.from({ length: workers }, keepUploading))
    // Waits until some uploads are confirmed and others are running, however slow the machine is.
    await expect.poll(isConfirmed, { interval: 10 }).toBe(true)
    // Kills the service at a different moment in each round.
    await sleep((round * 820) / rounds)
    await service.kill()
    await working
    // Ends the leases of the keys, which otherwise last a minute.
    await changeDatabase(service.stored, (stored) =>
      stored.exec('update idempotency_keys set lease_until = 0 where status is null'),
    )
    await service.restart()
    openCount += listOpen().length
    for (const key of listOpen()) {
      const response = await send(service.api(), eventId, key)
      expect(response.status).toBe(201)
      uploads.set(key, response.body)
    }
  }

  const api = service.api()
  expect(openCount).toBeGreaterThan(0)
  for (const [key, photo] of uploads) {
    const { status, headers, body } = await send(api, eventId, key)
    expect([status, headers.get('idempotent-replayed'), body.id]).toEqual([201, 'true', photo?.id])
  }
  const stored = await loadPhotos({ api }, eventId)
  const hashes = (photos: Iterable<Photo | null>) => new Map([...photos].map((one) => [one?.id, one?.content_hash]))
  expect(hashes(stored)).toEqual(hashes(uploads.values()))
  expect(stored).toHaveLength(uploads.size)
  expect((await api.get(`/api/v1/events/${eventId}`)).body.photo_count).toBe(uploads.size)
  for (const { id, size_bytes } of stored) {
    const path = `/api/v1/events/${eventId}/photos/${id}`
    const original = await api.get(`${path}/download`)
    expect([original.status, original.bytes.length]).toEqual([200, size_bytes])
    expect((await api.get(`${path}/thumbnail`)).status).toBe(200)
  }
  await expect.poll(service.listStaged).toEqual([])
}, 240_000)

/** A key always has the same picture. */
async function send(api: TestClient, eventId: number, key: string): Promise<TestResponse> {
  const seed = [...key].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7) % 100_000
  const picture = await jpeg({ width: 600, height: 400, seed })
  return api.upload(eventId, picture, { headers: { 'idempotency-key': key } })
}
