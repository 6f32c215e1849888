import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { createClient, type TestClient, type TestResponse } from '../clients/test-client.ts'
import { enterAsGuest, type TestEvent, uploadPhotos } from '../fixtures/events.ts'
import { jpeg } from '../media/pictures.ts'
import type { TestService } from '../service/test-service.ts'
import { adminUploadsPath, createUploadClient, splitIntoChunks } from '../uploads/chunked-uploads.ts'
import { type RecordedResponse, recordResponses, type Send } from './recorded-responses.ts'

/** `id` is null until the upload has succeeded. */
export type LoadFile = { key: string; bytes: Buffer<ArrayBuffer>; id: number | null }
export type LoadMark = { guest: TestClient; photoId: number; rating: number; isDone: boolean }

export type Load = {
  event: TestEvent
  responses: RecordedResponse[]
  files: LoadFile[]
  /** The last mark of each guest on each photo. */
  marks: LoadMark[]
  /** Starts no new work. Repeats unfinished requests until they succeed or `patienceMs` have passed. */
  stop: (patienceMs: number) => Promise<void>
}

const uploaders = 3
const markers = 3
const readersOfEach = 2
/** Delay after a failure. A real client would wait for the time in Retry-After. */
const retryDelayMs = 200

/**
 * Simulates people in one gallery. Writers use the services in rotation and repeat failed requests; each reader uses
 * one service.
 */
export async function startLoad(services: readonly [TestService, ...TestService[]], event: TestEvent): Promise<Load> {
  const [first] = services
  const { responses, sendToNext, sendTo } = recordResponses(services)
  const photoIds = await uploadPhotos(first.api, event.id, 4)
  const picture = await jpeg({ width: 300, height: 200 })
  const guests = await Promise.all(repeat(markers, () => enterAsGuest(first, event)))
  const visitor = await enterAsGuest(first, event)
  const files: LoadFile[] = []
  const marks = new Map<string, LoadMark>()
  let isStopped = false
  let giveUpAt = Number.POSITIVE_INFINITY

  /** Returns null after giving up. `patience`: the maximum number of IDEMPOTENCY_IN_PROGRESS responses. */
  async function retryUntilDone(
    what: string,
    send: Send,
    patience = Number.POSITIVE_INFINITY,
  ): Promise<TestResponse | null> {
    for (let appErrors = 0; appErrors < patience && performance.now() < giveUpAt; ) {
      const response = await sendToNext(what, send)
      if (response && response.status < 300) return response
      if (response?.body?.code === 'IDEMPOTENCY_IN_PROGRESS') appErrors++
      await sleep(retryDelayMs)
    }
    return null
  }

  async function keepUploading(): Promise<void> {
    const begun: LoadFile[] = []
    const upload = async (file: LoadFile, patience?: number) => {
      const { key, bytes } = file
      const send: Send = ({ api }) => api.upload(event.id, bytes, { headers: { 'idempotency-key': key } })
      file.id = (await retryUntilDone('upload', send, patience))?.body.id ?? null
    }
    while (!isStopped) {
      const bytes = Buffer.concat([picture, randomBytes(20_000 + 60_000 * Math.random())])
      const file: LoadFile = { key: `file ${files.length}`, bytes, id: null }
      files.push(file)
      begun.push(file)
      await upload(file, 5)
      await sleep(50)
    }
    for (const file of begun) if (file.id === null) await upload(file)
  }

  async function keepUploadingInChunks(): Promise<void> {
    while (!isStopped) {
      const bytes = Buffer.concat([picture, randomBytes(chunkBytes)])
      const file: LoadFile = { key: 'in chunks', bytes, id: null }
      files.push(file)
      const init = { filename: 'large.jpg', fileSize: bytes.length }
      const begun = await retryUntilDone('init', ({ admin }) => admin.post(`${adminUploadsPath(event.id)}/init`, init))
      const path = `${adminUploadsPath(event.id)}/${begun?.body.uploadId}`
      for (const [index, chunk] of splitIntoChunks(bytes).entries())
        await retryUntilDone('chunk', ({ admin }) => createUploadClient(admin, path).chunk(index, chunk))
      const completed = await retryUntilDone('complete', ({ admin }) => createUploadClient(admin, path).complete())
      file.id = completed?.body.photos[0].id ?? null
      await sleep(1_500)
    }
  }

  async function keepMarking(guest: TestClient): Promise<void> {
    for (let count = 0; !isStopped; count++) {
      const photoId = photoIds[count % photoIds.length] ?? 0
      const mark: LoadMark = { guest, photoId, rating: 1 + Math.floor(5 * Math.random()), isDone: false }
      marks.set(`${guest.token} ${photoId}`, mark)
      const path = `/api/gallery/${event.slug}/photos/${photoId}/feedback`
      const body = { feedback_type: 'rating', rating: mark.rating }
      const response = await retryUntilDone('mark', ({ url }) => createClient(url, guest.token).post(path, body))
      mark.isDone = response !== null
      await sleep(30)
    }
  }

  async function keepReading(service: TestService): Promise<void> {
    for (let count = 0; !isStopped; count++) {
      const [what, send] = reads[count % reads.length] as (typeof reads)[0]
      const photoId = photoIds[count % photoIds.length] ?? 0
      const clients = { ...service, guest: createClient(service.url, visitor.token) }
      await sendTo(service, what, () => send(clients, event, photoId))
      await sleep(20)
    }
  }

  async function pollHealth(service: TestService): Promise<void> {
    while (!isStopped) {
      await sendTo(service, 'health', ({ anonymous }) => anonymous.get('/health'))
      await sendTo(service, 'live', ({ anonymous }) => anonymous.get('/health/live'))
      await sleep(250)
    }
  }

  const allWork = Promise.all([
    ...repeat(uploaders, keepUploading),
    keepUploadingInChunks(),
    ...guests.map(keepMarking),
    ...services.flatMap((service) => repeat(readersOfEach, () => keepReading(service))),
    ...services.map(pollHealth),
  ])
  return {
    event,
    responses,
    files,
    get marks() {
      return [...marks.values()]
    },
    async stop(patienceMs) {
      isStopped = true
      giveUpAt = performance.now() + patienceMs
      await allWork
    },
  }
}

const repeat = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

type ReadRequest = (
  clients: TestService & { guest: TestClient },
  event: TestEvent,
  photoId: number,
) => Promise<TestResponse>

const reads: Array<[string, ReadRequest]> = [
  ['gallery', ({ guest }, { slug }) => guest.get(`/api/gallery/${slug}/photos`)],
  ['thumbnail', ({ guest }, { slug }, photoId) => guest.get(`/api/gallery/${slug}/thumbnail/${photoId}`)],
  ['original', ({ guest }, { slug }, photoId) => guest.get(`/api/gallery/${slug}/photo/${photoId}`)],
  ['info', ({ anonymous }, { slug }) => anonymous.get(`/api/gallery/${slug}/info`)],
  ['list', ({ api }, { id }) => api.get(`/api/v1/events/${id}/photos`)],
  ['grid', ({ admin }, { id }) => admin.get(`/api/admin/photos/${id}/photos?limit=50`)],
  ['download', ({ api }, { id }, photoId) => api.get(`/api/v1/events/${id}/photos/${photoId}/download`)],
]
