import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createEvent } from '../support/events.ts'
import { startByNode } from '../support/service-process.ts'
import { readDatabase } from '../support/stored.ts'
import { listStoredFiles } from '../support/stored-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createClient } from '../support/test-client.ts'
import { adminPassword, type TestService } from '../support/test-service.ts'
import { allowVideos, clip, createGatedFfmpeg, uploadVideo, waitUntilProcessed } from '../support/videos.ts'

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
  const id = await uploadVideo(admin(), eventId, await clip('film.mp4'))
  const attempts = () =>
    readDatabase({ dataDir } as TestService, (stored) =>
      stored.prepare('select attempts from video_jobs').pluck().get(),
    )
  await expect.poll(attempts).toBe(1)
  await process.end('SIGKILL')

  process = await startByNode({ dataDir, environment })
  expect((await api().get(`/api/v1/events/${eventId}/photos/${id}`)).body.processing_status).toBe('processing')
  await gate.open()
  expect(await waitUntilProcessed(api(), eventId, id, 40_000)).toMatchObject({ processing_status: 'ready', width: 64 })
  await expect
    .poll(async () => (await listStoredFiles({ dataDir } as TestService)).filter((path) => path.startsWith('staging')))
    .toEqual([])
}, 90_000)
