import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient, type TestClient, type TestResponse } from '../support/clients/test-client.ts'
import { changeDatabase } from '../support/database/service-database.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startByNode } from '../support/service/service-process.ts'
import { adminPassword, type TestService } from '../support/service/test-service.ts'
import { listStoredFiles } from '../support/storage/stored-files.ts'

const rounds = isLongRun ? 4 : 2
const workers = 6

test('kill -9 during uploads: the same keys succeed afterwards and create no duplicates', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  const environment = { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'warn' }
  let service = await startByNode({ dataDir, environment })
  const token = await makeToken(service.url)
  const { id: eventId } = await createEvent(createClient(service.url, token))
  const ids = new Map<string, number | null>()
  let unanswered = 0

  for (let round = 0; round < rounds; round++) {
    const api = createClient(service.url, token)
    const isStopped = { value: false }
    const uploads = Array.from({ length: workers }, (_, worker) =>
      keepUploading(api, eventId, round, worker, ids, isStopped),
    )
    // Kills the service at a different moment in each round.
    await new Promise((resolve) => setTimeout(resolve, 400 + (round * 550) / rounds))
    await service.end('SIGKILL')
    isStopped.value = true
    await Promise.all(uploads)

    service = await startByNode({ dataDir, environment })
    const restarted = createClient(service.url, token)
    const broken = [...ids].filter(([, id]) => id === null).map(([key]) => key)
    unanswered += broken.length
    for (const key of broken) {
      const response = await send(restarted, eventId, key)
      // 201: the upload was committed, or its key was never claimed. 409: the lease of the request has not expired.
      expect([201, 409]).toContain(response.status)
    }
    // Expires the leases, because they otherwise last a minute.
    await changeDatabase({ dataDir } as TestService, (stored) => {
      stored.prepare('update idempotency_keys set lease_until = 0 where status is null').run()
    })
    for (const key of broken) {
      const response = await send(restarted, eventId, key)
      expect(response.status).toBe(201)
      ids.set(key, response.body.id)
    }
  }

  try {
    const api = createClient(service.url, token)
    expect(unanswered).toBeGreaterThan(0)
    expect(ids.size).toBeGreaterThan(workers)
    for (const [key, id] of ids) {
      const response = await send(api, eventId, key)
      expect([response.status, response.body.id]).toEqual([201, id])
      expect(response.headers.get('idempotent-replayed')).toBe('true')
    }
    expect(new Set(ids.values()).size).toBe(ids.size)
    expect((await api.get(`/api/v1/events/${eventId}`)).body.photo_count).toBe(ids.size)
    const staged = (await listStoredFiles({ dataDir } as TestService)).filter((file) => file.startsWith('staging'))
    expect(staged).toEqual([])
  } finally {
    await service.end('SIGTERM')
  }
})

async function makeToken(url: string): Promise<string> {
  const login = { username: 'admin', password: adminPassword }
  const { body } = await createClient(url).post('/api/auth/admin/login', login)
  const created = await createClient(url, body.token).post('/api/admin/api-tokens', { name: 'test', scopes: ['write'] })
  return created.body.token
}

/** A key always has the same picture. */
async function send(api: TestClient, eventId: number, key: string): Promise<TestResponse> {
  const seed = [...key].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7) % 100_000
  const picture = await jpeg({ width: 600, height: 400, seed })
  return api.upload(eventId, picture, { headers: { 'idempotency-key': key } })
}

async function keepUploading(
  api: TestClient,
  eventId: number,
  round: number,
  worker: number,
  ids: Map<string, number | null>,
  isStopped: { value: boolean },
): Promise<void> {
  for (let count = 0; !isStopped.value; count++) {
    const key = `${round}-${worker}-${count}`
    ids.set(key, null)
    // The connection breaks when the service is killed. The id of the key then stays null.
    const response = await send(api, eventId, key).catch(() => null)
    if (response?.status === 201) ids.set(key, response.body.id)
    else break
  }
}
