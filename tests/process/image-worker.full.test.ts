import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noisyPicture } from '../../tools/sample-pictures.ts'
import { createClient, type TestClient } from '../support/clients/test-client.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { linux, requireOrSkip } from '../support/run/requirements.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { type ServiceProcess, startByNode } from '../support/service/service-process.ts'
import { adminPassword } from '../support/service/test-service.ts'

async function withApi(use: (api: TestClient, service: ServiceProcess) => Promise<void>): Promise<void> {
  const dataDir = join(await temporaryFolder(), 'data')
  const service = await startByNode({ dataDir, environment: { ADMIN_PASSWORD: adminPassword } })
  try {
    const login = await createClient(service.url).post('/api/auth/admin/login', {
      username: 'admin',
      password: adminPassword,
    })
    const session = createClient(service.url, login.body.token)
    const { body } = await session.post('/api/admin/api-tokens', { name: 'test', scopes: ['write'] })
    await use(createClient(service.url, body.token), service)
  } finally {
    await service.end('SIGTERM')
  }
}

const listChildren = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

describe('image workers', () => {
  test('a worker killed with SIGSEGV fails only its photo, with a clear error', ({ skip }) => {
    requireOrSkip(skip, [linux])
    return withApi(async (api, { pid }) => {
      const event = await createEvent(api)
      const large = await noisyPicture(
        isLongRun ? { width: 9000, height: 6000, seed: 1 } : { width: 6000, height: 4000, seed: 1 },
      )
      const uploads = Array.from({ length: 6 }, () => api.upload(event.id, Buffer.from(large)))
      await expect.poll(() => listChildren(pid).length, { interval: 20 }).toBeGreaterThan(0)
      // Waits until the worker is in the middle of a picture, which takes a second or more.
      await new Promise((resolve) => setTimeout(resolve, 200))
      const [victim] = listChildren(pid)
      process.kill(victim ?? 0, 'SIGSEGV')

      const responses = await Promise.all(uploads)
      const rejected = responses.filter(({ status }) => status !== 201)
      // No photo fails if the worker had just finished its job.
      expect(rejected.length).toBeLessThanOrEqual(1)
      for (const { status, body } of rejected) expect([status, body.code]).toEqual([422, 'UNREADABLE_IMAGE'])
      expect((await api.upload(event.id, await jpeg())).status).toBe(201)
      const { body } = await api.get(`/api/v1/events/${event.id}`)
      expect(body.photo_count).toBe(responses.length - rejected.length + 1)
    })
  })
})
