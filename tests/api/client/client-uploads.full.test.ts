import { beforeAll, expect, test } from 'vitest'
import { createGallery, createProofroom, type Progress } from '../../../clients/typescript/source/index.ts'
import { losingFetch, problemResponse, recordingFetch } from '../../support/clients/unreliable-fetch.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { largeJpeg } from '../../support/uploads/chunked-uploads.ts'

const { api, url } = await sharedService()
const connect = (fetch?: (request: Request) => Promise<Response>) =>
  createProofroom({ baseUrl: url, token: api.token ?? '', ...(fetch && { fetch }) })

const chunkBytes = 10_485_760
let event: TestEvent
let large: Buffer<ArrayBuffer>
let session: string
beforeAll(async () => {
  event = await createEvent(api, { allow_user_uploads: true, upload_category_id: 1 })
  large = await largeJpeg(chunkBytes + 77)
  const { slug, share_token } = event
  const entered = await createGallery({ baseUrl: url }).enterByLink({ slug, token: share_token })
  if (!('token' in entered)) throw new Error('The gallery has a password')
  session = entered.token
})

const enter = (fetch?: (request: Request) => Promise<Response>) =>
  createGallery({ baseUrl: url, session, retries: 0, ...(fetch && { fetch }) })

const isChunk = ({ path }: { path: string }) => /\/chunk\/\d+$/.test(path)
const photosOf = async () => (await api.get(`/api/v1/events/${event.id}/photos?limit=100`)).body.photos

test('a photo goes in one request, and once even if the response is lost', async () => {
  const { fetch, sent } = losingFetch(1)
  const progress: Progress[] = []
  const file = new File([await jpeg({ seed: 1 })], 'DSC_0001.jpg')
  const before = (await photosOf()).length
  const photo = await connect(fetch).photos.upload(event.id, file, {
    categoryId: 1,
    onProgress: (one) => void progress.push(one),
  })
  expect(photo).toMatchObject({ original_filename: 'DSC_0001.jpg', size_bytes: file.size, category_id: 1 })
  expect(sent.map(({ path }) => path)).toEqual(Array(2).fill(`/api/v1/events/${event.id}/photos`))
  expect((await photosOf()).length - before).toBe(1)
  expect(progress.at(-1)).toEqual({ sentBytes: file.size, totalBytes: file.size })
})

test('a photo is replaced and keeps its id; a Blob needs a name', async () => {
  const { photos } = connect()
  const { id } = await photos.upload(event.id, new Blob([await jpeg({ seed: 2 })]), { name: 'a.jpg' })
  const replaced = await photos.replace(event.id, id, new Blob([await jpeg({ seed: 3 })]), { name: 'b.jpg' })
  expect(replaced).toMatchObject({ id, original_filename: 'b.jpg', source_filename: 'a.jpg' })
  await expect(photos.upload(event.id, new Blob([]))).rejects.toThrow('name')
})

test('a file becomes the next version of a photo, in an event that keeps versions', async () => {
  const { photos } = connect()
  const { id: eventId } = await createEvent(api, { keep_versions: true })
  const { id } = await photos.upload(eventId, new File([await jpeg({ seed: 2 })], 'a.jpg'))
  expect(await photos.addVersion(eventId, id, new File([await jpeg({ seed: 3 })], 'a.jpg'))).toMatchObject({ id })
  const { body } = await api.get(`/api/v1/events/${eventId}/photos/${id}/versions`)
  expect(body.versions.map(({ number }: { number: number }) => number)).toEqual([1, 2])
})

test('a photo for chunks goes in one request where the service takes no chunks from tokens', async () => {
  const details = [{ path: '', message: 'For the test', kind: 'unknown_path' }]
  const { fetch, sent } = recordingFetch(({ path }) =>
    path.includes('chunked-upload') ? problemResponse(404, 'NOT_FOUND', {}, { details }) : null,
  )
  const file = new File([await jpeg({ seed: 4 })], 'c.jpg')
  const photo = await connect(fetch).photos.upload(event.id, file, { chunkedFromBytes: 1 })
  expect(photo).toMatchObject({ original_filename: 'c.jpg' })
  expect(sent.map(({ path }) => path.split('/').at(-1))).toEqual(['init', 'photos'])
  const video = new File([await jpeg()], 'film.mp4')
  await expect(connect(fetch).photos.upload(event.id, video)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a large photo goes in chunks with a token', async () => {
  const { fetch, sent } = recordingFetch()
  const progress: number[] = []
  const onProgress = ({ sentBytes }: Progress) => void progress.push(sentBytes)
  const options = { chunkedFromBytes: 1, categoryId: 1, onProgress }
  const photo = await connect(fetch).photos.upload(event.id, new File([large], 'large.jpg'), options)
  expect(photo).toMatchObject({ size_bytes: large.length, category_id: 1, uploaded_by: 'api' })
  expect(sent.map(({ path }) => path.split('/').at(-1)).sort()).toEqual(['0', '1', 'complete', 'init'])
  expect([progress[0], progress.at(-1)]).toEqual([0, large.length])
})

test('an interrupted upload resumes, and sends only the missing chunks, but not for another file', async () => {
  const broken = recordingFetch(({ path }) =>
    path.endsWith('/chunk/1') ? problemResponse(500, 'INTERNAL_ERROR') : null,
  )
  const file = new File([large], 'resumed.jpg')
  let resume = ''
  const onSession = (id: string) => {
    resume = id
  }
  const first = enter(broken.fetch).upload(event.slug, file, { concurrency: 1, onSession })
  await expect(first).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
  expect(resume).toMatch(/\S/)
  const other = new File([large.subarray(1)], 'x.jpg')
  await expect(enter().upload(event.slug, other, { resume })).rejects.toThrow('The upload session is for a file of')

  const { fetch, sent } = recordingFetch()
  const progress: number[] = []
  const onProgress = ({ sentBytes }: Progress) => void progress.push(sentBytes)
  const { id } = await enter(fetch).upload(event.slug, file, { resume, onProgress })
  expect(sent.filter(isChunk).map(({ path }) => path.at(-1))).toEqual(['1'])
  expect([progress[0], progress.at(-1)]).toEqual([chunkBytes, large.length])
  expect(progress.toSorted((a, b) => a - b)).toEqual(progress)
  const { bytes } = await api.get(`/api/v1/events/${event.id}/photos/${id}/download`)
  expect(bytes.equals(large)).toBe(true)
  // The session is complete: it returns the same photo again.
  expect(await enter().upload(event.slug, file, { resume })).toMatchObject({ id })
})
