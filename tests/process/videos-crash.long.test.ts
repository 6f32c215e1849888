import { expect, test } from 'vitest'
import { readDatabase } from '../support/database/service-database.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { allowVideos, clip, createGatedFfmpeg, uploadVideo, waitUntilProcessed } from '../support/media/videos.ts'
import { startKillableService } from '../support/service/killable-service.ts'

test('a video is processed again after a kill and a restart', async () => {
  const gate = await createGatedFfmpeg()
  const { stored, admin, api, restart, listStaged } = await startKillableService({ FFMPEG_PATH: gate.path })
  await allowVideos({ admin: admin() })
  const { id: eventId } = await createEvent(api())
  const id = await uploadVideo(admin(), eventId, await clip('film.avi'), { name: 'film.avi' })
  const attempts = () =>
    readDatabase(stored, (database) => database.prepare('select attempts from video_jobs').pluck().get())
  await expect.poll(attempts).toBe(1)
  await restart()
  expect((await api().get(`/api/v1/events/${eventId}/photos/${id}`)).body.processing_status).toBe('processing')
  await gate.open()
  expect(await waitUntilProcessed(api(), eventId, id)).toMatchObject({ processing_status: 'ready', width: 64 })
  await expect.poll(listStaged).toEqual([])
})
