import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { detectIsolation } from '../../server/platform/media/video/isolation.ts'
import { noisyPicture } from '../../tools/sample-pictures.ts'
import { createClient, type TestClient } from '../support/clients/test-client.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { allowVideos, clip, createGatedFfmpeg, uploadVideo, waitUntilProcessed } from '../support/media/videos.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { linux, requireOrSkip } from '../support/run/requirements.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { type ServiceProcess, startByNode } from '../support/service/service-process.ts'
import { adminPassword } from '../support/service/test-service.ts'

type Use = (api: TestClient, service: ServiceProcess, session: TestClient) => Promise<void>

async function withApi(use: Use, environment: Record<string, string> = {}): Promise<void> {
  const dataDir = join(await temporaryFolder(), 'data')
  const service = await startByNode({ dataDir, environment: { ADMIN_PASSWORD: adminPassword, ...environment } })
  try {
    const login = await createClient(service.url).post('/api/auth/admin/login', {
      username: 'admin',
      password: adminPassword,
    })
    const session = createClient(service.url, login.body.token)
    const { body } = await session.post('/api/admin/api-tokens', { name: 'test', scopes: ['write'] })
    await use(createClient(service.url, body.token), service, session)
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

const listDescendants = (pid: number): number[] => listChildren(pid).flatMap((one) => [one, ...listDescendants(one)])

test('no child of the service gets a secret or any other variable that it does not need', async ({ skip }) => {
  requireOrSkip(skip, [linux])
  const secret = 'a secret that no child may have, 0123456789'
  const gate = await createGatedFfmpeg()
  const environment = { JWT_SECRET: secret, ENCRYPTION_KEY: secret, BACKUP_PASSPHRASE: secret, FFMPEG_PATH: gate.path }
  const use: Use = async (api, { pid }, admin) => {
    await allowVideos({ admin })
    const event = await createEvent(api)
    const video = await uploadVideo(admin, event.id, await clip('film.avi'), { name: 'film.avi' })
    expect((await api.upload(event.id, await jpeg())).status).toBe(201)
    const commands = () => listDescendants(pid).map((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8'))
    const missing = () => ['image-worker', 'ffmpeg'].filter((name) => !commands().join().includes(name))
    await expect.poll(missing, { timeout: 60_000 }).toEqual([])
    const names = listDescendants(pid).flatMap((child) => {
      const variables = readFileSync(`/proc/${child}/environ`, 'utf8').split('\0').filter(Boolean)
      expect(variables.join('\n')).not.toMatch(`${secret}|${adminPassword}`)
      return variables.map((variable) => variable.slice(0, variable.indexOf('=')))
    })
    // Shells set PWD, SHLVL and _.
    const allowed =
      /^(PATH|MALLOC_\w+|UV_THREADPOOL_SIZE|NODE_COMPILE_CACHE|FONTCONFIG_FILE|PWD|OLDPWD|SHLVL|_|NODE_CHANNEL_\w+)$/
    expect(names.filter((name) => !allowed.test(name))).toEqual([])
    await gate.open()
    expect(await waitUntilProcessed(api, event.id, video)).toMatchObject({
      processing_status: 'ready',
      processing_error: null,
    })
    // The built service uses the sandbox where its sources do.
    const { items } = (await admin.get('/api/admin/health')).body
    const isolation = await detectIsolation()
    expect(items.find(({ key }: { key: string }) => key === 'decoders').facts).toMatchObject({ isolation })
  }
  await withApi(use, environment)
})
