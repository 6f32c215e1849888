import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { getStoredOriginal } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { readArchiveDirectory, readArchiveFiles } from '../../support/media/read-archive.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles, openStoredFile } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { api, admin } = service

const pathOf = ({ slug }: TestEvent, route: string) => `/api/gallery/${slug}/${route}`
const setVisibility = (event: TestEvent, photoId: number, visibility = 'hidden') =>
  admin.patch(`/api/admin/photos/${event.id}/photos/${photoId}`, { visibility })
const getEstimate = async (client: TestClient, event: TestEvent, query = '') =>
  (await client.get(pathOf(event, `download-estimate${query}`))).body
const listNames = (bytes: Buffer) => [...readArchiveFiles(bytes).keys()]
const countDownloads = async ({ id }: TestEvent) => (await api.get(`/api/v1/events/${id}`)).body.total_downloads

async function forbidDownloads(event: TestEvent, photoIds: number[]): Promise<void> {
  const { body } = await admin.post('/api/admin/categories', {
    name: 'Proofs',
    event_id: event.id,
    allow_downloads: false,
  })
  for (const id of photoIds) await admin.patch(`/api/admin/photos/${event.id}/photos/${id}`, { category_id: body.id })
}

describe('the ZIP of a gallery', () => {
  let event: TestEvent
  let ids: number[]
  let guest: TestClient
  beforeAll(async () => {
    event = await createEvent(api, { event_date: '2026-06-13' })
    ids = await uploadPhotos(api, event.id, 5)
    await setVisibility(event, ids[4] ?? 0)
    guest = await enterAsGuest(service, event)
  })

  test('contains the originals that the guest sees, under their names, with its exact length', async () => {
    const { status, headers, bytes } = await guest.get(pathOf(event, 'download-all'))
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename=${event.slug}.zip`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-zip-photos': '4',
      'x-zip-missing': '0',
      'x-zip-withheld': '0',
    })
    expect(listNames(bytes)).toEqual(['photo-1.jpg', 'photo-2.jpg', 'photo-3.jpg', 'photo-4.jpg'])
    expect(
      readArchiveFiles(bytes)
        .get('photo-2.jpg')
        ?.equals(await jpeg({ seed: 2 })),
    ).toBe(true)
    const whole = await getEstimate(guest, event)
    expect(whole).toEqual({
      count: 4,
      bytes: bytes.length,
      ready: true,
      ready_count: 4,
      missing: 0,
      withheld: 0,
      video_count: 0,
      widths: [],
    })
  })

  test('accepts the filters of the list, and so does the estimate; own picks and a width are in its name', async () => {
    const getName = async (query: string) => {
      const { headers } = await guest.get(pathOf(event, `download-all${query}`))
      return headers.get('content-disposition')?.split('filename=')[1]
    }
    await guest.post(pathOf(event, `photos/${ids[2]}/feedback`), { feedback_type: 'like' })
    const { bytes } = await guest.get(pathOf(event, 'download-all?filter=liked'))
    expect(listNames(bytes)).toEqual(['photo-3.jpg'])
    expect(await getEstimate(guest, event, '?filter=liked')).toMatchObject({ count: 1, bytes: bytes.length })
    expect(listNames((await guest.get(pathOf(event, 'download-all?search=PHOTO-4'))).bytes)).toEqual(['photo-4.jpg'])
    expectInvalidField(await guest.get(pathOf(event, 'download-all?filter=hated')), 'filter')
    expect(await getName('?filter=liked')).toBe(`${event.slug}-my-picks.zip`)
    expect(await getName('?filter=liked&w=2560')).toBe(`${event.slug}-my-picks-2560px.zip`)
    expect(await getName('?w=1280')).toBe(`${event.slug}-1280px.zip`)
    expect(await getName('?search=photo')).toBe(`${event.slug}.zip`)
    expectProblem(await guest.get(pathOf(event, 'download-all?search=nothing')), 404, 'NO_PHOTOS')
    expect(await getEstimate(guest, event, '?search=nothing')).toMatchObject({ count: 0, bytes: 0, ready: true })
  })

  test('of a selection has the requested visible photos, by GET and by POST', async () => {
    const wanted = [ids[3], ids[1]]
    const byGet = await guest.get(pathOf(event, `download-selected?ids=${wanted}`))
    expect(listNames(byGet.bytes)).toEqual(['photo-2.jpg', 'photo-4.jpg'])
    expect(await getEstimate(guest, event, `?ids=${wanted}`)).toMatchObject({ count: 2, bytes: byGet.bytes.length })
    const byPost = await guest.post(pathOf(event, 'download-selected'), { photo_ids: wanted })
    expect(byPost.status).toBe(200)
    expect(byPost.bytes.equals(byGet.bytes)).toBe(true)
    const etag = byGet.headers.get('etag') ?? ''
    expect(byPost.headers.get('etag')).toBe(etag)
    const rest = await guest.post(
      pathOf(event, 'download-selected'),
      { photo_ids: wanted },
      { range: 'bytes=100-', 'if-range': etag },
    )
    expect(rest.status).toBe(206)
    expect(rest.bytes.equals(byGet.bytes.subarray(100))).toBe(true)
  })

  test('of hidden, unknown and foreign ids returns 400 with their places, all alike', async () => {
    const other = await createEvent(api)
    const [foreign] = await uploadPhotos(api, other.id, 1)
    const wanted = [ids[4], ids[1], 999_999, foreign]
    const answers = [
      await guest.get(pathOf(event, `download-selected?ids=${wanted}`)),
      await guest.get(pathOf(event, `download-estimate?ids=${wanted}`)),
      await guest.post(pathOf(event, 'download-selected'), { photo_ids: wanted }),
    ]
    for (const [index, answer] of answers.entries()) {
      expectProblem(answer, 400, 'INVALID_PHOTO_IDS')
      const field = index === 2 ? 'photo_ids' : 'ids'
      expect(answer.body.details).toEqual(
        [0, 2, 3].map((place) => ({
          path: `${field}.${place}`,
          message: 'is not the ID of a photo in this list',
          kind: 'not_a_choice',
        })),
      )
    }
  })

  test.for(['', 'ids=', 'ids=1,x', 'ids=0', 'ids=1.5', `ids=${Array.from({ length: 501 }, (_, index) => index + 1)}`])(
    'of invalid or too many ids returns 400 INVALID_PHOTO_IDS: %.20s',
    async (query) => {
      expectProblem(await guest.get(pathOf(event, `download-selected?${query}`)), 400, 'INVALID_PHOTO_IDS')
      if (query) expectProblem(await guest.get(pathOf(event, `download-estimate?${query}`)), 400, 'INVALID_PHOTO_IDS')
    },
  )

  test.for([[[]], [['1']], [[1.5]], [Array.from({ length: 501 }, (_, index) => index + 1)]] as const)(
    'of a body with such ids too: %.20s',
    async ([photo_ids]) => {
      expectProblem(await guest.post(pathOf(event, 'download-selected'), { photo_ids }), 400, 'INVALID_PHOTO_IDS')
    },
  )

  test('returns any range as that part of the whole, and HEAD and 304 without a body', async () => {
    const { bytes: whole, headers } = await guest.get(pathOf(event, 'download-all'))
    const etag = headers.get('etag') ?? ''
    for (const [start, end] of [
      [0, 0],
      [10, 400],
      [whole.length - 30, whole.length - 1],
    ] as const) {
      const { status, bytes } = await guest.get(pathOf(event, 'download-all'), { range: `bytes=${start}-${end}` })
      expect(status).toBe(206)
      expect(bytes.equals(whole.subarray(start, end + 1))).toBe(true)
    }
    const head = await guest.head(pathOf(event, 'download-all'))
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, `${whole.length}`, 0])
    expect((await guest.get(pathOf(event, 'download-all'), { 'if-none-match': etag })).status).toBe(304)
  })

  test('restarts if a photo was hidden in between, by If-Range', async () => {
    const path = pathOf(event, 'download-all')
    const { bytes: before, headers } = await guest.get(path, { range: 'bytes=0-99' })
    const resume = { range: 'bytes=100-', 'if-range': headers.get('etag') ?? '' }
    expect((await guest.get(path, resume)).status).toBe(206)
    await setVisibility(event, ids[0] ?? 0)
    const { status, bytes } = await guest.get(path, resume)
    expect(status).toBe(200)
    expect(listNames(bytes)).toEqual(['photo-2.jpg', 'photo-3.jpg', 'photo-4.jpg'])
    expect(bytes.subarray(0, 100).equals(before)).toBe(false)
    await setVisibility(event, ids[0] ?? 0, 'visible')
  })

  test('names and counts photos whose originals are missing', async () => {
    const damaged = await createEvent(api)
    const [lost = 0] = await uploadPhotos(api, damaged.id, 2)
    await getStoredOriginal(service, damaged.id, lost).remove()
    const visitor = await enterAsGuest(service, damaged)
    const { bytes, headers } = await visitor.get(pathOf(damaged, 'download-all'))
    expect(headers.get('x-zip-missing')).toBe('1')
    expect(listNames(bytes)).toEqual(['MISSING_FILES.txt', 'photo-2.jpg'])
    expect(readArchiveFiles(bytes).get('MISSING_FILES.txt')?.toString()).toContain('photo-1.jpg')
    expect(await getEstimate(visitor, damaged)).toMatchObject({ count: 1, missing: 1, bytes: bytes.length })
  })
})

describe('a download that is not allowed', () => {
  test('by the event returns 403 DOWNLOAD_DISABLED on each route; operators can still download', async () => {
    const event = await createEvent(api, { allow_downloads: false })
    const [id] = await uploadPhotos(api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    for (const route of ['download-all', `download-selected?ids=${id}`, 'download-estimate']) {
      expectProblem(await guest.get(pathOf(event, route)), 403, 'DOWNLOAD_DISABLED')
      expect((await admin.get(pathOf(event, route))).status).toBe(200)
    }
    expectProblem(await guest.post(pathOf(event, 'download-selected'), { photo_ids: [id] }), 403, 'DOWNLOAD_DISABLED')
  })

  test('by a category excludes and counts its photos; a request for only these is rejected', async () => {
    const event = await createEvent(api)
    const [first = 0, second = 0] = await uploadPhotos(api, event.id, 3)
    await forbidDownloads(event, [first, second])
    const guest = await enterAsGuest(service, event)
    const { bytes, headers } = await guest.get(pathOf(event, 'download-all'))
    expect(listNames(bytes)).toEqual(['photo-3.jpg'])
    expect(headers.get('x-zip-withheld')).toBe('2')
    expect(await getEstimate(guest, event)).toMatchObject({ count: 1, missing: 0, withheld: 2 })
    expectProblem(await guest.get(pathOf(event, `download-selected?ids=${first},${second}`)), 403, 'DOWNLOAD_DISABLED')
    expect(await getEstimate(guest, event, `?ids=${first}`)).toMatchObject({ count: 0, withheld: 1 })
    const operators = await admin.get(pathOf(event, 'download-all'))
    expect(listNames(operators.bytes)).toHaveLength(3)
    expect(operators.headers.get('x-zip-withheld')).toBe('0')
  })

  test('before reveal_at returns 404 on each route', async () => {
    const event = await createEvent(api, { reveal_at: '2096-06-13T12:00:00Z' })
    const [id] = await uploadPhotos(api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    for (const route of ['download-all', `download-selected?ids=${id}`, 'download-estimate']) {
      expectProblem(await guest.get(pathOf(event, route)), 404, 'NOT_FOUND')
    }
  })
})

describe('operators', () => {
  test('get the originals of drafts, hidden photos included, and no watermark', async () => {
    const event = await createEvent(api, { is_draft: true, watermark_downloads: true, download_max_px: 320 })
    const [, id = 0] = await uploadPhotos(api, event.id, 2)
    await setVisibility(event, id)
    const { bytes } = await admin.get(pathOf(event, 'download-all'))
    expect([...readArchiveFiles(bytes)]).toEqual([
      ['photo-1.jpg', await jpeg({ seed: 1 })],
      ['photo-2.jpg', await jpeg({ seed: 2 })],
    ])
  })

  test('get 409 EVENT_ARCHIVED for an archived event', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 1)
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    for (const route of ['download-all', 'download-selected?ids=1', 'download-estimate']) {
      expectProblem(await admin.get(pathOf(event, route)), 409, 'EVENT_ARCHIVED')
    }
  })
})

test('a ZIP counts as one guest download from its first byte; HEAD, the estimate and operators do not count', async () => {
  const event = await createEvent(api)
  const [id] = await uploadPhotos(api, event.id, 1)
  const guest = await enterAsGuest(service, event)
  const path = pathOf(event, 'download-all')
  const { headers } = await guest.get(path)
  await guest.get(path, { range: 'bytes=0-9' })
  await guest.get(pathOf(event, `download-selected?ids=${id}`))
  await guest.post(pathOf(event, 'download-selected'), { photo_ids: [id] })
  await vi.waitUntil(async () => (await countDownloads(event)) === 4, 60_000)
  await guest.head(path)
  await guest.get(path, { range: 'bytes=5-9' })
  await guest.get(path, { 'if-none-match': headers.get('etag') ?? '' })
  await guest.get(pathOf(event, 'download-estimate'))
  await admin.get(path)
  await guest.get(path)
  await vi.waitUntil(async () => (await countDownloads(event)) > 4, 60_000)
  expect(await countDownloads(event)).toBe(5)
})

test('file extensions follow the content, whatever the client sent; the ZIP uses the names of single downloads', async () => {
  const event = await createEvent(api)
  const uploadedNames = ['IMG_1.JPG', 'invoice.html', 'invoice.exe', 'evil.svg', '.htaccess']
  for (const [index, name] of uploadedNames.entries())
    await api.upload(event.id, await jpeg({ seed: index + 1 }), { name })
  const guest = await enterAsGuest(service, event)
  for (const client of [guest, admin]) {
    const { bytes } = await client.get(pathOf(event, 'download-all'))
    expect(listNames(bytes)).toEqual(['IMG_1.JPG', 'invoice.jpg', 'invoice_1.jpg', 'evil.jpg', 'htaccess.jpg'])
  }

  const { photos } = (await guest.get(pathOf(event, 'photos?sort=upload_date_asc'))).body
  expect(photos.map(({ original_filename }: { original_filename: string }) => original_filename)).toEqual(uploadedNames)
  const actual = async (route: string) => {
    const answers = photos.map(({ id }: { id: number }) => guest.get(pathOf(event, `${route}/${id}`)))
    return (await Promise.all(answers)).map(({ headers }) => headers.get('content-disposition'))
  }
  const names = ['IMG_1.JPG', 'invoice.jpg', 'invoice.jpg', 'evil.jpg', 'htaccess.jpg']
  expect(await actual('download')).toEqual(names.map((name) => `attachment; filename=${name}`))
  expect(await actual('photo')).toEqual(names.map((name) => `inline; filename=${name}`))
})

async function waitUntilReady(client: TestClient, event: TestEvent, query = ''): Promise<number[]> {
  const counts: number[] = []
  await vi.waitUntil(
    async () => {
      const { ready, ready_count } = await getEstimate(client, event, query)
      counts.push(ready_count)
      return ready
    },
    { timeout: 60_000, interval: 20 },
  )
  return counts
}

describe('the first ZIP of a watermarked gallery', () => {
  const photoCount = 12
  let event: TestEvent
  let guest: TestClient
  beforeAll(async () => {
    event = await createEvent(api, { watermark_downloads: true, watermark_text: 'Proof' })
    for (let seed = 1; seed <= photoCount; seed++) {
      await api.upload(event.id, await jpeg({ seed, width: 900, height: 600 }), { name: `IMG_${seed}.PNG` })
    }
    guest = await enterAsGuest(service, event)
  })

  test('returns 503 DOWNLOAD_PREPARING with both counts until it is ready, then has the estimated size', async () => {
    const firstResponse = await guest.get(pathOf(event, 'download-all'))
    expectProblem(firstResponse, 503, 'DOWNLOAD_PREPARING')
    expect(firstResponse.body).toMatchObject({ ready_count: expect.any(Number), count: photoCount })
    expect(firstResponse.headers.get('retry-after')).toBe('5')

    const counts = await waitUntilReady(guest, event)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts[0]).toBeLessThan(photoCount)
    const { bytes, headers } = await guest.get(pathOf(event, 'download-all'))
    const actual = await getEstimate(guest, event)
    expect(actual).toMatchObject({ count: photoCount, ready_count: photoCount, ready: true, bytes: bytes.length })
    expect(headers.get('content-length')).toBe(String(bytes.length))

    const entries = readArchiveDirectory((at, length) => bytes.subarray(at, at + length), bytes.length)
    expect(entries.map(({ name }) => name)).toEqual(
      Array.from({ length: photoCount }, (_, index) => `IMG_${index + 1}.jpg`),
    )
    for (const entry of entries) {
      expect(crc32(bytes.subarray(entry.dataStart, entry.dataStart + entry.sizeBytes))).toBe(entry.crc32)
    }
  })

  test('contains the same file that download/{id} sends for each photo', async () => {
    await waitUntilReady(guest, event)
    const files = readArchiveFiles((await guest.get(pathOf(event, 'download-all'))).bytes)
    const { photos } = (await guest.get(pathOf(event, 'photos'))).body
    expect(photos).toHaveLength(photoCount)
    for (const { id, original_filename, size_bytes } of photos) {
      const { bytes } = await guest.get(pathOf(event, `download/${id}`))
      expect(files.get(original_filename.replace('.PNG', '.jpg'))?.equals(bytes)).toBe(true)
      expect(bytes.length).not.toBe(size_bytes)
    }
  })

  test('is prepared again if its renditions are gone from the storage', async () => {
    await waitUntilReady(guest, event)
    const pictures = (await listStoredFiles(service)).filter((name) => name.includes(`/${event.id}/renditions/`))
    for (const name of pictures) await openStoredFile(service, name).remove()
    expectProblem(await guest.get(pathOf(event, 'download-all')), 503, 'DOWNLOAD_PREPARING')
    await waitUntilReady(guest, event)
    expect(listNames((await guest.get(pathOf(event, 'download-all'))).bytes)).toHaveLength(photoCount)
  })
})

test('a photo whose rendition fails is left out and listed, and does not delay the ZIP', async () => {
  const event = await createEvent(api, { watermark_downloads: true })
  const [id = 0] = await uploadPhotos(api, event.id, 2)
  const original = getStoredOriginal(service, event.id, id)
  await original.write(Buffer.alloc((await original.read()).length, 7))
  const guest = await enterAsGuest(service, event)
  await waitUntilReady(guest, event)
  const { bytes } = await guest.get(pathOf(event, 'download-all'))
  expect(listNames(bytes)).toEqual(['MISSING_FILES.txt', 'photo-2.jpg'])
})

test('a size-limited gallery sends originals within the limit, and smaller renditions of the others', async () => {
  const event = await createEvent(api, { download_max_px: 320, strip_location: false })
  const small = await jpeg({ seed: 1 })
  await api.upload(event.id, await jpeg({ seed: 2, width: 600, height: 400 }), { name: 'large.jpg' })
  await api.upload(event.id, small, { name: 'small.jpg' })
  const guest = await enterAsGuest(service, event)
  await waitUntilReady(guest, event)
  const files = readArchiveFiles((await guest.get(pathOf(event, 'download-all'))).bytes)
  expect([...files.keys()]).toEqual(['large.jpg', 'small.jpg'])
  expect(files.get('small.jpg')?.equals(small)).toBe(true)
})

describe('folders and sizes', () => {
  const createCategory = async (event: TestEvent, name: string, allow_downloads = true) =>
    (await admin.post('/api/admin/categories', { name, event_id: event.id, allow_downloads })).body.id
  const upload = async (event: TestEvent, name: string, category_id?: number, width = 120) => {
    const picture = await jpeg({ seed: width, width, height: 90 })
    return (await api.upload(event.id, picture, { name, fields: category_id ? { category_id } : {} })).body.id
  }
  const readZip = async (client: TestClient, event: TestEvent, route: string) => {
    const { status, headers, bytes } = await client.get(pathOf(event, route))
    expect([status, headers.get('content-length')]).toEqual([200, String(bytes.length)])
    return { bytes, headers, names: listNames(bytes) }
  }

  test('with `folders` each category is a folder; hidden and withheld photos are in none', async () => {
    const event = await createEvent(api)
    const church = await createCategory(event, 'Church / Registry')
    const party = await createCategory(event, 'Party')
    const proofs = await createCategory(event, 'Proofs', false)
    const ids = [
      await upload(event, 'a.jpg', church),
      await upload(event, 'a.jpg', party),
      await upload(event, 'a.jpg', party),
      await upload(event, 'a.jpg'),
    ]
    await upload(event, 'proof.jpg', proofs)
    await setVisibility(event, await upload(event, 'hidden.jpg', party))
    const guest = await enterAsGuest(service, event)
    const whole = await readZip(guest, event, 'download-all?folders=category')
    expect(whole.names).toEqual(['Church - Registry/a.jpg', 'Party/a.jpg', 'Party/a_1.jpg', 'a.jpg'])
    expect(await getEstimate(guest, event, '?folders=category')).toMatchObject({ bytes: whole.bytes.length, count: 4 })
    const flat = await readZip(guest, event, 'download-all')
    expect(flat.names).toEqual(['a.jpg', 'a_1.jpg', 'a_2.jpg', 'a_3.jpg'])
    expect(flat.headers.get('etag')).not.toBe(whole.headers.get('etag'))

    // An interrupted download continues.
    const ifRange = whole.headers.get('etag') ?? ''
    const rest = await guest.get(pathOf(event, 'download-all?folders=category'), {
      range: 'bytes=200-',
      'if-range': ifRange,
    })
    expect([rest.status, rest.bytes.equals(whole.bytes.subarray(200))]).toEqual([206, true])

    for (const id of [ids[1], ids[3]]) {
      await guest.post(pathOf(event, `photos/${id}/feedback`), { feedback_type: 'favorite' })
    }
    const other = await enterAsGuest(service, event)
    await other.post(pathOf(event, `photos/${ids[0]}/feedback`), { feedback_type: 'favorite' })
    const own = await readZip(guest, event, 'download-all?filter=favorited&folders=category')
    expect(own.names).toEqual(['Party/a.jpg', 'a.jpg'])
    const byPost = await guest.post(pathOf(event, 'download-selected?folders=category'), {
      photo_ids: [ids[1], ids[2]],
    })
    expect(listNames(byPost.bytes)).toEqual(['Party/a.jpg', 'Party/a_1.jpg'])
    expectInvalidField(await guest.get(pathOf(event, 'download-all?folders=color')), 'folders')
  })

  test('with `w` wider photos are made smaller first, others are sent as they are', async () => {
    const event = await createEvent(api, { strip_location: false })
    await upload(event, 'wide.jpg', undefined, 1500)
    await upload(event, 'small.jpg')
    const guest = await enterAsGuest(service, event)
    const full = await getEstimate(guest, event)
    expect(full).toMatchObject({ ready: true, widths: [640, 1280] })
    expectProblem(await guest.get(pathOf(event, 'download-all?w=1280')), 503, 'DOWNLOAD_PREPARING')
    await waitUntilReady(guest, event, '?w=1280')
    const estimate = await getEstimate(guest, event, '?w=1280')
    const { bytes, names } = await readZip(guest, event, 'download-all?w=1280')
    expect(estimate).toMatchObject({ count: 2, bytes: bytes.length, ready_count: 2 })
    expect(names).toEqual(['wide.jpg', 'small.jpg'])
    const files = readArchiveFiles(bytes)
    const { photos } = (await guest.get(pathOf(event, 'photos?sort=upload_date_asc'))).body
    const shown = await guest.get(pathOf(event, `photo/${photos[0].id}?w=1280`), { accept: 'image/jpeg' })
    expect(files.get('wide.jpg')?.equals(shown.bytes)).toBe(true)
    expect(files.get('small.jpg')?.equals(await jpeg({ seed: 120, width: 120, height: 90 }))).toBe(true)
    expectInvalidField(await guest.get(pathOf(event, 'download-all?w=1000')), 'w')
  })

  test('a size never exceeds the limit of the event nor omits its watermark', async () => {
    const event = await createEvent(api, { download_max_px: 700, watermark_downloads: true })
    await upload(event, 'wide.jpg', undefined, 1500)
    await upload(event, 'small.jpg')
    const guest = await enterAsGuest(service, event)
    await waitUntilReady(guest, event)
    expect((await getEstimate(guest, event)).widths).toEqual([640])
    const full = await readZip(guest, event, 'download-all')
    // The limit is narrower, so this is the ZIP in full size.
    expect((await readZip(guest, event, 'download-all?w=1280')).bytes.equals(full.bytes)).toBe(true)
    await waitUntilReady(guest, event, '?w=640')
    const files = readArchiveFiles((await readZip(guest, event, 'download-all?w=640')).bytes)
    const { photos } = (await guest.get(pathOf(event, 'photos?sort=upload_date_asc'))).body
    const shown = await guest.get(pathOf(event, `photo/${photos[0].id}?w=640`), { accept: 'image/jpeg' })
    expect(files.get('wide.jpg')?.equals(shown.bytes)).toBe(true)
    expect(files.get('small.jpg')?.equals(await jpeg({ seed: 120, width: 120, height: 90 }))).toBe(false)
  })

  test('a photo that cannot be made smaller is left out, and does not delay the ZIP', async () => {
    const event = await createEvent(api)
    const id = await upload(event, 'damaged.jpg', undefined, 1600)
    await upload(event, 'wide.jpg', undefined, 1400)
    const original = getStoredOriginal(service, event.id, id)
    await original.write(Buffer.alloc((await original.read()).length, 7))
    const guest = await enterAsGuest(service, event)
    await waitUntilReady(guest, event, '?w=1280')
    expect((await readZip(guest, event, 'download-all?w=1280')).names).toEqual(['MISSING_FILES.txt', 'wide.jpg'])
  })

  test('is prepared again if a file is gone from the storage', async () => {
    const event = await createEvent(api)
    await upload(event, 'wide.jpg', undefined, 1500)
    const guest = await enterAsGuest(service, event)
    await waitUntilReady(guest, event, '?w=640')
    const { bytes } = await readZip(guest, event, 'download-all?w=640')
    for (const name of await listStoredFiles(service)) {
      if (name.includes(`/${event.id}/renditions/`) && name.includes('640'))
        await openStoredFile(service, name).remove()
    }
    await waitUntilReady(guest, event, '?w=640')
    expect((await readZip(guest, event, 'download-all?w=640')).bytes.length).toBe(bytes.length)
  })
})
