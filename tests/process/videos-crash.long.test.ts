import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { readDatabase } from '../support/database/service-database.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { allowVideos, clip, createGatedFfmpeg, uploadVideo, waitUntilProcessed } from '../support/media/videos.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startByNode } from '../support/service/service-process.ts'
import { adminPassword, type TestService } from '../support/service/test-service.ts'
import { listStoredFiles } from '../support/storage/stored-files.ts'

test('a video is processed again after a kill and a restart', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  const gate = await createGatedFfmpeg()
  const environment = { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'warn', RATE_LIMIT: 'off', FFMPEG_PATH: gate.path }
  let process = await startByNode({ dataDir, environment })
  onTestFinished(() => process.end('SIGKILL'))
  const login = { username: 'admin', password: adminPassword }
  const { body } = await createClient(process.url).post('/api/auth/admin/login', login)
  const admin = () => createClient(process.url, body.token)
  const created = await admin().post('/api/admin/api-tokens', { name: 'test', scopes: ['admin'] })
  const api = () => createClient(process.url, created.body.token)

  await allowVideos({ admin: admin() } as TestService)
  const { id: eventId } = await createEvent(api())
  const id = await uploadVideo(admin(), eventId, await clip('film.avi'), { name: 'film.avi' })
  const attempts = () =>
    readDatabase({ dataDir } as TestService, (stored) =>
      stored.prepare('select attempts from video_jobs').pluck().get(),
    )
  await expect.poll(attempts).toBe(1)
  await process.end('SIGKILL')

  process = await startByNode({ dataDir, environment })
  expect((await api().get(`/api/v1/events/${eventId}/photos/${id}`)).body.processing_status).toBe('processing')
  await gate.open()
  expect(await waitUntilProcessed(api(), eventId, id)).toMatchObject({ processing_status: 'ready', width: 64 })
  await expect
    .poll(async () => (await listStoredFiles({ dataDir } as TestService)).filter((path) => path.startsWith('staging')))
    .toEqual([])
})
