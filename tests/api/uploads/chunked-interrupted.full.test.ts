import { describe, expect, onTestFinished, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { startService } from '../../../server/main.ts'
import { readConfig } from '../../../server/platform/configuration/config.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { isOnPostgres, prepareBackEnds } from '../../support/service/back-ends.ts'
import { serviceForTest, type TestService } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import {
  adminUploadsPath,
  createUploadClient,
  largeJpeg,
  sendAllChunks,
} from '../../support/uploads/chunked-uploads.ts'

const listPhotos = async (eventId: number, { api }: TestService) =>
  (await api.get(`/api/v1/events/${eventId}/photos?limit=100`)).body.photos

describe('a service that stops while it completes', () => {
  async function startSecondService({ dataDir }: TestService, token: string | undefined) {
    const environment = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' }
    const again = await startService(readConfig({ ...environment, ...(await prepareBackEnds(dataDir)) }))
    onTestFinished(() => again.stop())
    return createClient(`http://127.0.0.1:${new URL(again.address).port}`, token)
  }

  async function stopAndComplete(commitCount: 0 | 1): Promise<void> {
    const reached = Promise.withResolvers<void>()
    const stoppedService = await serviceForTest({
      edges: {
        wrapStorage: (storage) => ({
          ...storage,
          async commit(files) {
            if (commitCount === 1) await storage.commit(files)
            reached.resolve()
            await new Promise(() => undefined)
          },
        }),
      },
    })
    const event = await createEvent(stoppedService.api)
    const file = await largeJpeg(chunkBytes + 100)
    const upload = await sendAllChunks(stoppedService.admin, adminUploadsPath(event.id), file)
    // There is no response; the connection breaks when the service stops.
    void upload.complete().catch(() => undefined)
    await reached.promise
    expect((await upload.status()).body.status).toBe('completing')
    expectProblem(await upload.chunk(1, file.subarray(chunkBytes)), 409, 'INVALID_STATE')

    const client = await startSecondService(stoppedService, stoppedService.admin.token)
    const after = createUploadClient(client, upload.path)
    // On PostgreSQL the second service is another node, which cannot know whether the first node still completes it.
    expect((await after.status()).body.status).toBe(isOnPostgres ? 'completing' : 'in_progress')
    const completed = await after.complete()
    expect(completed.body.photos).toMatchObject([{ size_bytes: file.length }])
    expect((await after.complete()).body).toEqual(completed.body)
    expect(await listPhotos(event.id, stoppedService)).toHaveLength(1)
    expect((await listStoredFiles(stoppedService)).filter((name) => name.startsWith('parted/'))).toEqual([])
  }

  test('before the file has its place leaves an upload that can be completed once', { tags: 'nightly' }, () =>
    stopAndComplete(0),
  )

  test('between the file and its row leaves an upload that can be completed once', () => stopAndComplete(1))

  test('but continues while another process completes the upload, creates no second photo', async () => {
    const [reached, mayContinue] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slowService = await serviceForTest({
      edges: {
        wrapStorage: (storage) => ({
          ...storage,
          async commit(files) {
            reached.resolve()
            await mayContinue.promise
            await storage.commit(files)
          },
        }),
      },
    })
    const event = await createEvent(slowService.api)
    const upload = await sendAllChunks(slowService.admin, adminUploadsPath(event.id), await jpeg())
    const pendingResponse = upload.complete()
    await reached.promise
    const other = createUploadClient(await startSecondService(slowService, slowService.admin.token), upload.path)
    const { body } = await other.complete()
    const kept = await listStoredFiles(slowService)
    mayContinue.resolve()
    expect((await pendingResponse).body).toEqual(body)
    expect(await listPhotos(event.id, slowService)).toHaveLength(1)
    expect((await listStoredFiles(slowService)).filter((path) => path.startsWith('files'))).toEqual(
      kept.filter((path) => path.startsWith('files')),
    )
  })
})
