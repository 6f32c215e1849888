import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect } from 'vitest'
import { expectProblem } from '../clients/problems.ts'
import type { TestResponse } from '../clients/test-client.ts'
import { createEvent } from '../fixtures/events.ts'
import { readArchiveDirectory } from '../media/read-archive.ts'
import { type KillableService, startKillableService } from '../service/killable-service.ts'
import { openSession } from './chunked-client.ts'
import type { PlannedFinish, PlannedUpload } from './chunked-plans.ts'
import { chunkBytes, computeTreeHash, createVersionedFile, readVersions } from './chunked-versions.ts'
import { FaultyUpload } from './faulty-upload.ts'

type UploadTest = { service: KillableService; eventId: number; completed: number }

/**
 * Runs random plans that kill a service with `kill -9` during chunked uploads and their completion. Each chunk must be
 * one complete version or be reported as missing, even if its sends overlap, are cut off or have a wrong size.
 */
export async function killDuringUploads(plans: fc.Arbitrary<PlannedUpload>, uploads: number): Promise<void> {
  const service = await startKillableService()
  const { id } = await createEvent(service.api())
  const uploadTest: UploadTest = { service, eventId: id, completed: 0 }
  await fc.assert(
    fc.asyncProperty(plans, (plan) => runUpload(uploadTest, plan)),
    // A failure reports its seed. Shrinking is off, because the timing differs in each run.
    { numRuns: uploads, endOnFailure: true },
  )
  await expectEveryPhotoWithItsFiles(uploadTest)
}

async function runUpload(
  uploadTest: UploadTest,
  { fullChunks, tailBytes, rounds, finish }: PlannedUpload,
): Promise<void> {
  const { service, eventId } = uploadTest
  const file = createVersionedFile(fullChunks * chunkBytes + tailBytes)
  const upload = new FaultyUpload(service, await openSession(service.address, eventId, file.sizeBytes), file)
  for (const round of rounds) {
    await upload.run(round)
    await upload.missing()
  }
  if (finish.kind === 'abort' || finish.kind === 'abort beside a send') await abort(upload, finish)
  else {
    await startFinish(service, upload, finish)
    await expectPhoto(uploadTest, upload, await completeWithRetry(upload))
  }
  await expect.poll(service.listStaged).toEqual([])
}

/** The pauses in this function and in `startFinish` come from the random plan. */
async function abort(upload: FaultyUpload, { kind, index, afterMs }: PlannedFinish): Promise<void> {
  const send = () => upload.sendWholeChunk(index % upload.file.chunks, [200, 404])
  const sending = kind === 'abort' ? null : send()
  await sleep(afterMs / 5)
  expect((await upload.session.abort()).status).toBe(200)
  await sending
  expectProblem(await upload.session.status(), 404, 'NOT_FOUND')
  expectProblem(await upload.session.complete(), 404, 'NOT_FOUND')
}

/**
 * Completes the upload twice, beside a send or with a kill, if the plan asks for one of these. `completeWithRetry`
 * continues from the result.
 */
async function startFinish(service: KillableService, upload: FaultyUpload, finish: PlannedFinish): Promise<void> {
  const index = finish.index % upload.file.chunks
  if (finish.kind === 'complete twice') await Promise.all([upload.complete(), upload.complete()])
  if (finish.kind === 'complete beside a send') {
    const completing = sleep(finish.afterMs / 5).then(() => upload.complete())
    await Promise.all([completing, upload.sendWholeChunk(index, [200, 409])])
  }
  if (finish.kind === 'complete and be killed') {
    await upload.sendAll(await upload.missing())
    const completing = upload.session.complete().catch(() => null)
    await sleep(finish.afterMs)
    await service.kill()
    await completing
    await service.restart()
  }
}

async function completeWithRetry(upload: FaultyUpload): Promise<TestResponse> {
  const response = await upload.complete()
  if (response.status === 200) return response
  expectProblem(response, 400, 'MISSING_CHUNKS')
  expect(response.body.missing).toEqual(await upload.missing())
  await upload.sendAll(response.body.missing)
  return upload.complete()
}

async function expectPhoto(uploadTest: UploadTest, upload: FaultyUpload, completed: TestResponse): Promise<void> {
  expect([completed.status, completed.body.success, completed.body.uploaded]).toEqual([200, true, 1])
  const [photo] = completed.body.photos
  const api = uploadTest.service.api()
  const path = `/api/v1/events/${uploadTest.eventId}/photos`
  const { bytes } = await api.get(`${path}/${photo.id}/download`)
  for (const [index, version] of readVersions(upload.file, bytes).entries()) {
    expect([...upload.holdings(index)], `chunk ${index}`).toContain(version)
  }
  expect([photo.size_bytes, photo.content_hash]).toEqual([bytes.length, computeTreeHash(bytes)])
  const archive = (await api.get(`${path}/download?ids=${photo.id}`)).bytes
  const [entry] = readArchiveDirectory((at, length) => archive.subarray(at, at + length), archive.length)
  expect(entry?.crc32).toBe(crc32(bytes))

  // A second completion returns the same photo, and a late chunk is rejected.
  const again = await upload.complete()
  expect([again.status, again.body]).toEqual([200, completed.body])
  expect((await upload.sendWholeChunk(0, [409]))?.body.code).toBe('INVALID_STATE')
  uploadTest.completed++
  expect((await api.get(`/api/v1/events/${uploadTest.eventId}`)).body.photo_count).toBe(uploadTest.completed)
}

async function expectEveryPhotoWithItsFiles({ service, eventId, completed }: UploadTest): Promise<void> {
  const api = service.api()
  const { photos } = (await api.get(`/api/v1/events/${eventId}/photos?limit=100`)).body
  expect(photos).toHaveLength(completed)
  for (const { id, size_bytes } of photos) {
    const { status, headers } = await api.head(`/api/v1/events/${eventId}/photos/${id}/download`)
    expect([status, headers.get('content-length')]).toEqual([200, String(size_bytes)])
  }
}
