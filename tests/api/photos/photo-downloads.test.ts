import exifr from 'exifr'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { exifWithLocation, noisyPicture, plainPicture } from '../../support/media/image-files.ts'
import { picture } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles, openStoredFile, type StoredFile } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { api } = service

/** 1200 × 800 as displayed: stored rotated, with a location and a camera in the EXIF data. */
const original = Buffer.from(
  await noisyPicture(800, 1200).withExif(exifWithLocation).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
)
const name = 'Hochzeit – Zoë & José 新郎.JPG'
let event: TestEvent
let photo: { id: number; filename: string }
beforeAll(async () => {
  event = await createEvent(api)
  photo = (await api.upload(event.id, original, { name })).body
})

const downloadPath = (query = '', id = photo.id, eventId = event.id) =>
  `/api/v1/events/${eventId}/photos/${id}/download${query}`
const download = (query = '', headers: Record<string, string> = {}) => api.get(downloadPath(query), headers)
const upload = async (bytes: Buffer<ArrayBuffer>, options = {}) => (await api.upload(event.id, bytes, options)).body
const downloadName = (headers: Headers): string =>
  decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '')

const findStoredFile = async (filename: string): Promise<StoredFile> => {
  const name = (await listStoredFiles(service)).find((path) => path.endsWith(filename))
  return openStoredFile(service, name ?? 'none')
}

describe('the original', () => {
  test.each(['', '?resolution=original', '?w=640&watermark=1&resolution=original'])(
    '%j is byte-exact, under the name given by the client, RFC 5987',
    async (query) => {
      const { status, headers, bytes } = await download(query)
      expect(status).toBe(200)
      expect(bytes.equals(original)).toBe(true)
      expect(headers.get('content-type')).toBe('image/jpeg')
      expect(headers.get('content-length')).toBe(String(original.length))
      expect(headers.get('content-disposition')).toMatch(/^attachment; /)
      expect(downloadName(headers)).toBe(name)
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  test('keeps the location: no rule of the gallery applies to tokens', async () => {
    expect(await exifr.gps((await download()).bytes)).toMatchObject({ latitude: 51.5 })
    await api.patch(`/api/v1/events/${event.id}`, { allow_downloads: false })
    expect((await download()).status).toBe(200)
    await service.admin.patch(`/api/admin/photos/${event.id}/photos/${photo.id}`, { visibility: 'hidden' })
    expect((await download()).status).toBe(200)
    await api.patch(`/api/v1/events/${event.id}`, { allow_downloads: true })
  })

  test('is not counted', async () => {
    await download()
    expect((await api.get(`/api/v1/events/${event.id}`)).body.total_downloads).toBe(0)
  })

  test.each([
    ["l'été.PNG", "l'été.PNG"],
    ['100 %.png', '100 %.png'],
    ['新郎.png', '新郎.png'],
    ['新郎', '新郎.png'],
    ['a.html', 'a.png'],
    ['evil.jpg', 'evil.png'],
    ['no extension', 'no extension.png'],
  ])('of a PNG sent as %j is downloaded as %j', async (given, expected) => {
    const { id } = await upload(await picture('png'), { name: given, type: 'image/png' })
    const { headers } = await api.get(downloadPath('', id))
    expect(headers.get('content-type')).toBe('image/png')
    const disposition = headers.get('content-disposition') ?? ''
    expect(downloadName(headers) || /filename="?(.*?)"?$/.exec(disposition)?.[1]).toBe(expected)
  })
})

describe.each(['', '?resolution=300x300'])('download%s', (query) => {
  test('returns the headers of GET for HEAD', async () => {
    const [full, head] = [await download(query), await api.head(downloadPath(query))]
    expect(head.status).toBe(200)
    expect(head.bytes).toHaveLength(0)
    const comparableHeaders = (headers: Headers) => {
      const own = ['date', 'x-request-id', 'connection', 'keep-alive']
      return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)))
    }
    expect(comparableHeaders(head.headers)).toEqual(comparableHeaders(full.headers))
  })

  test('is 304 for its ETag, which is the same each time', async () => {
    const [first, second] = [await download(query), await download(query)]
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
    expect(second.headers.get('etag')).toBe(etag)
    expect(second.bytes.equals(first.bytes)).toBe(true)
    const unchanged = await download(query, { 'if-none-match': etag })
    expect(unchanged.status).toBe(304)
    expect(unchanged.bytes).toHaveLength(0)
  })

  test('returns ranges, and the whole for If-Range of another file', async () => {
    const { bytes, headers } = await download(query)
    const part = await download(query, { range: 'bytes=100-299', 'if-range': headers.get('etag') ?? '' })
    expect(part.status).toBe(206)
    expect(part.bytes.equals(bytes.subarray(100, 300))).toBe(true)
    expect(part.headers.get('content-range')).toBe(`bytes 100-299/${bytes.length}`)
    expect((await download(query, { range: 'bytes=100-299', 'if-range': '"other"' })).status).toBe(200)
    expect((await download(query, { range: `bytes=${bytes.length}-` })).status).toBe(416)
  })
})

describe('a resolution', () => {
  test.each([
    ['600x600', [600, 400]],
    ['1199x9999', [1199, 799]],
    ['16384x100', [150, 100]],
    ['1x1', [1, 1]],
  ])('%s fits the photo into a box, upright and without a location', async (box, [width, height]) => {
    const { status, headers, bytes } = await download(`?resolution=${box}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height })
    expect(await exifr.parse(bytes, { gps: true })).toBeUndefined()
  })

  test('never enlarges: a photo that already fits is sent unchanged', async () => {
    for (const box of ['1200x800', '1200x16384', '16384x16384']) {
      const { bytes, headers } = await download(`?resolution=${box}`)
      expect(bytes.equals(original)).toBe(true)
      expect(downloadName(headers)).toBe(name)
    }
  })

  test.each(['png', 'webp', 'gif', 'avif'] as const)('a smaller %s is of its type or a JPEG', async (format) => {
    await service.admin.put('/api/admin/settings', { general_allowed_file_types: 'jpg,png,webp,gif,avif' })
    const { id } = await upload(await picture(format), { name: `Zoë.of.${format}` })
    const { headers, bytes } = await api.get(downloadPath('?resolution=30x30', id))
    const kind = format === 'png' || format === 'webp' ? format : 'jpeg'
    expect(await sharp(bytes).metadata()).toMatchObject({ format: kind, width: 30, height: 20 })
    expect(headers.get('content-type')).toBe(`image/${kind}`)
    expect(downloadName(headers)).toBe(`Zoë.of.${kind === 'jpeg' ? 'jpg' : kind}`)
  })

  test('stores nothing', async () => {
    await download('?resolution=100x100')
    await api.head(downloadPath('?resolution=100x100'))
    await download('?resolution=100x100', { range: 'bytes=99999999-' })
    const aborted = new AbortController()
    const { body } = await fetch(service.url + downloadPath('?resolution=1100x1100'), {
      headers: { authorization: `Bearer ${api.token}` },
      signal: aborted.signal,
    })
    aborted.abort()
    await body?.cancel().catch(() => undefined)
    await expect
      .poll(async () => (await listStoredFiles(service)).filter((path) => !path.startsWith('files/')))
      .toEqual([])
    expect((await listStoredFiles(service)).filter((path) => path.includes('rendition'))).toEqual([])
  })

  test.each(['', '0x100', '100x0', '16385x1', '1x16385', '-1x5', '1.5x2', 'large', '100', '100x', '1x1x1', 'ORIGINAL'])(
    '%j is 400',
    async (resolution) => {
      expectInvalidField(await download(`?resolution=${encodeURIComponent(resolution)}`), 'resolution')
    },
  )

  test('given twice is 400', async () => {
    expectInvalidField(await download('?resolution=100x100&resolution=200x200'), 'resolution')
  })

  test('of a video is 404 PREVIEW_UNAVAILABLE, but its original is sent', async () => {
    const { id } = await upload(original)
    await changeDatabase(service, (stored) =>
      stored.prepare("update photos set media_type = 'video' where id = ?").run(id),
    )
    expectProblem(await api.get(downloadPath('?resolution=100x100', id)), 404, 'PREVIEW_UNAVAILABLE')
    expect((await api.get(downloadPath('', id))).bytes.equals(original)).toBe(true)
  })
})

describe('a stored file that', () => {
  test('is missing is 404 PHOTO_FILE_MISSING', async () => {
    const lost = await upload(original)
    await (await findStoredFile(lost.filename)).remove()
    for (const query of ['', '?resolution=100x100']) {
      const answer = await api.get(downloadPath(query, lost.id))
      expectProblem(answer, 404, 'PHOTO_FILE_MISSING')
      for (const header of ['content-disposition', 'etag']) expect(answer.headers.get(header)).toBeNull()
      expect((await api.head(downloadPath(query, lost.id))).status).toBe(404)
    }
  })

  test('was cut short is rejected before a byte is sent, and the service keeps running', async () => {
    const cut = await upload(original)
    await (await findStoredFile(cut.filename)).resize(Math.floor(original.length / 2))
    expectProblem(await api.get(downloadPath('', cut.id)), 404, 'PHOTO_FILE_MISSING')
    expectProblem(await api.get(downloadPath('', cut.id), { range: 'bytes=0-9' }), 404, 'PHOTO_FILE_MISSING')
    expectProblem(await api.get(downloadPath('?resolution=100x100', cut.id)), 404, 'PHOTO_FILE_MISSING')
    expect((await download('?resolution=100x100')).status).toBe(200)
  })
})

describe('rights', () => {
  const roles = [
    ['viewer', false],
    ['editor', false],
    ['admin', true],
  ] as const

  test.each(roles)('an account of the role %s has photos.download: %s', async (role, canDownload) => {
    const account: Account = await createAccount(service, role)
    await changeDatabase(service, (stored) => {
      stored.prepare('insert into event_members (event_id, user_id) values (?, ?)').run(event.id, account.id)
    })
    const answer = await account.api.get(downloadPath())
    if (canDownload) expect(answer.status).toBe(200)
    else expectProblem(answer, 403, 'FORBIDDEN')
  })

  test('another account is FORBIDDEN, a photo of another event or of none is NOT_FOUND', async () => {
    const stranger = await createAccount(service, 'admin')
    expectProblem(await stranger.api.get(downloadPath()), 403, 'FORBIDDEN')
    const other = await createEvent(api)
    expectProblem(await api.get(downloadPath('', photo.id, other.id)), 404, 'NOT_FOUND')
    expectProblem(await api.get(downloadPath('', 999_999)), 404, 'NOT_FOUND')
    expectProblem(await service.anonymous.get(downloadPath()), 401, 'NO_TOKEN')
  })

  test('the files of an archived event are closed, its records stay open', async () => {
    const archived = await createEvent(api)
    const bytes = Buffer.from(await plainPicture(60, 40).jpeg().toBuffer())
    const { id } = (await api.upload(archived.id, bytes)).body
    await api.post(`/api/v1/events/${archived.id}/archive`, {})
    for (const query of ['', '?resolution=10x10', '?resolution=original']) {
      expectProblem(await api.get(downloadPath(query, id, archived.id)), 409, 'EVENT_ARCHIVED')
    }
    expect((await api.get(`/api/v1/events/${archived.id}/photos/${id}`)).body).toMatchObject({ id })
    await api.post(`/api/v1/events/${archived.id}/restore`, {})
    expect((await api.get(downloadPath('', id, archived.id))).bytes.equals(bytes)).toBe(true)
  })
})

describe('GET /events/{id}/photos/{pid}', () => {
  test('returns the same photo as the list', async () => {
    const { body } = await api.get(`/api/v1/events/${event.id}/photos?limit=100`)
    const answer = await api.get(`/api/v1/events/${event.id}/photos/${photo.id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(body.photos.find(({ id }: { id: number }) => id === photo.id))
    expect(answer.body).toMatchObject({ id: photo.id, original_filename: name, width: 1200, height: 800 })
  })

  test('of another event, or of none, is NOT_FOUND', async () => {
    const other = await createEvent(api)
    expectProblem(await api.get(`/api/v1/events/${other.id}/photos/${photo.id}`), 404, 'NOT_FOUND')
    expectProblem(await api.get(`/api/v1/events/${event.id}/photos/999999`), 404, 'NOT_FOUND')
  })
})
