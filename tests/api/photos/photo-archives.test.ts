import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, getStoredOriginal } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { archivePrograms } from '../../support/media/archive-programs.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { readArchiveDirectory, readArchiveFiles } from '../../support/media/read-archive.ts'
import { requireOrSkip } from '../../support/run/requirements.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api } = service

const archivePath = ({ id }: { id: number }, query = '') => `/api/v1/events/${id}/photos/download${query}`

const uploadNamed = async (event: TestEvent, name: string, seed: number) => {
  const bytes = await jpeg({ seed })
  const { body } = await api.upload(event.id, bytes, { name })
  return { id: body.id as number, bytes }
}

describe('GET /events/{id}/photos/download', () => {
  let event: TestEvent
  let photos: Array<{ id: number; bytes: Buffer }>
  beforeAll(async () => {
    event = await createEvent(api, { event_name: 'Zoë & Ben', event_date: '2026-06-13' })
    photos = []
    for (const [index, name] of ['Zoë – 新娘.jpg', 'a.jpg', 'A.JPG', 'a.jpg'].entries()) {
      photos.push(await uploadNamed(event, name, index + 1))
    }
  })

  test('is a ZIP of the originals, byte for byte, in list order; a duplicate name gets _1', async () => {
    const files = readArchiveFiles((await api.get(archivePath(event))).bytes)
    expect([...files.keys()]).toEqual(['Zoë – 新娘.jpg', 'a.jpg', 'A_1.JPG', 'a_2.jpg'])
    for (const [index, bytes] of [...files.values()].entries())
      expect(bytes.equals(photos[index]?.bytes ?? bytes)).toBe(true)
  })

  test('names each file once, with the extension of its content', async () => {
    const other = await createEvent(api)
    const given = ['IMG_1.JPG', 'IMG_1.html', 'evil.svg', 'x.jpg.hta', '.htaccess', 'IMG_2.tif']
    for (const [index, name] of given.entries()) await uploadNamed(other, name, index + 1)
    const files = readArchiveFiles((await api.get(archivePath(other))).bytes)
    expect([...files.keys()]).toEqual([
      'IMG_1.JPG',
      'IMG_1_1.jpg',
      'evil.jpg',
      'x.jpg.jpg',
      'htaccess.jpg',
      'IMG_2.jpg',
    ])
  })

  test('contains the capture time of a photo, or else its upload time', async () => {
    await changeDatabase(service, (stored) => {
      const set = stored.prepare('update photos set captured_at = ? where id = ?')
      set.run(Date.UTC(2026, 5, 13, 14, 30, 20), photos[0]?.id)
    })
    const { bytes } = await api.get(archivePath(event))
    const [first, second] = readArchiveDirectory((at, length) => bytes.subarray(at, at + length), bytes.length)
    expect(first?.modifiedAt).toBe('2026-06-13T14:30:20')
    expect(second?.modifiedAt.slice(0, 10)).toBe(new Date().toISOString().slice(0, 10))
  })

  test('returns its exact length, its ETag, its name and the number of its photos', async () => {
    const { status, headers, bytes } = await api.get(archivePath(event))
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename=${event.slug}.zip`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'x-zip-photos': '4',
      'x-zip-missing': '0',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    })
    expect(headers.get('last-modified')).toBeNull()
  })

  test.for(archivePrograms)('is accepted by $name', async ({ needs, test: testArchive }, { skip }) => {
    requireOrSkip(skip, needs)
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'photos.zip'), (await api.get(archivePath(event))).bytes)
    await testArchive(join(folder, 'photos.zip'), folder)
  })

  test('is identical byte for byte each time, also under its ETag', async () => {
    const [first, second] = [await api.get(archivePath(event)), await api.get(archivePath(event))]
    expect(second.bytes.equals(first.bytes)).toBe(true)
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
  })

  test('returns any range as that part of the whole', async () => {
    const { bytes: whole } = await api.get(archivePath(event))
    const size = whole.length
    const ranges: Array<[string, number, number]> = [
      ['bytes=0-0', 0, 1],
      ['bytes=1-40', 1, 41],
      [`bytes=${size >> 1}-`, size >> 1, size],
      ['bytes=-22', size - 22, size],
      [`bytes=${size - 1}-99999999`, size - 1, size],
    ]
    for (const [range, start, end] of ranges) {
      const answer = await api.get(archivePath(event), { range })
      expect(answer.status).toBe(206)
      expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`)
      expect(answer.headers.get('content-length')).toBe(String(end - start))
      expect(answer.bytes.equals(whole.subarray(start, end))).toBe(true)
    }
    const outside = await api.get(archivePath(event), { range: `bytes=${size}-` })
    expectProblem(outside, 416, 'RANGE_NOT_SATISFIABLE')
    expect(outside.headers.get('content-range')).toBe(`bytes */${size}`)
  })

  test('resumes by If-Range while it is the same, and otherwise starts again', async () => {
    const { bytes: whole, headers } = await api.get(archivePath(event))
    const etag = headers.get('etag') ?? ''
    const rest = await api.get(archivePath(event), { range: 'bytes=1000-', 'if-range': etag })
    expect(rest.status).toBe(206)
    expect(Buffer.concat([whole.subarray(0, 1000), rest.bytes]).equals(whole)).toBe(true)
    const other = await api.get(archivePath(event), { range: 'bytes=1000-', 'if-range': '"of before"' })
    expect(other.status).toBe(200)
    expect(other.bytes.equals(whole)).toBe(true)
  })

  test('is 304 for its ETag', async () => {
    const etag = (await api.get(archivePath(event))).headers.get('etag') ?? ''
    const answer = await api.get(archivePath(event), { 'if-none-match': etag })
    expect(answer.status).toBe(304)
    expect(answer.bytes).toHaveLength(0)
    expect(answer.headers.get('etag')).toBe(etag)
  })

  test('handles HEAD like GET, without the body', async () => {
    const [full, head] = [await api.get(archivePath(event)), await api.head(archivePath(event))]
    expect(head.status).toBe(200)
    expect(head.bytes).toHaveLength(0)
    const same = ['content-type', 'content-length', 'content-disposition', 'etag', 'x-zip-photos', 'x-zip-missing']
    for (const name of [...same, 'accept-ranges', 'cache-control']) {
      expect(head.headers.get(name)).toBe(full.headers.get(name))
    }
  })

  test('changes its ETag when any of its bytes changes', async () => {
    const changing = await createEvent(api)
    const [id = 0] = await uploadPhotos(api, changing.id, 2)
    const etags = [(await api.head(archivePath(changing))).headers.get('etag')]
    const replaced = await api.upload(changing.id, await jpeg({ seed: 77 }), { fields: { replaces_photo_id: id } })
    expect(replaced.status).toBe(200)
    etags.push((await api.head(archivePath(changing))).headers.get('etag'))
    await uploadPhotos(api, changing.id, 1)
    etags.push((await api.head(archivePath(changing))).headers.get('etag'))
    await changeDatabase(service, (stored) => {
      stored.prepare("update photos set original_filename = 'another.jpg' where id = ?").run(id)
    })
    etags.push((await api.head(archivePath(changing))).headers.get('etag'))
    expect(new Set(etags).size).toBe(4)
  })

  test('includes hidden photos, and is not counted', async () => {
    const countDownloads = await createEvent(api)
    const [id] = await uploadPhotos(api, countDownloads.id, 2)
    await service.admin.patch(`/api/admin/photos/${countDownloads.id}/photos/${id}`, { visibility: 'hidden' })
    expect((await api.get(archivePath(countDownloads))).headers.get('x-zip-photos')).toBe('2')
    expect((await api.get(`/api/v1/events/${countDownloads.id}`)).body.total_downloads).toBe(0)
  })
})

describe('a photo whose original is missing', () => {
  test('is omitted, listed in MISSING_FILES.txt and counted; the ETag changes', async () => {
    const event = await createEvent(api)
    const lost = await uploadNamed(event, 'Lost – ß.jpg', 1)
    const short = await uploadNamed(event, 'short.jpg', 2)
    await uploadNamed(event, 'MISSING_FILES.txt', 3)
    await uploadNamed(event, 'there.jpg', 4)
    const before = await api.head(archivePath(event))
    await getStoredOriginal(service, event.id, lost.id).remove()
    await getStoredOriginal(service, event.id, short.id).resize(100)

    const answer = await api.get(archivePath(event))
    expect(answer.headers.get('x-zip-photos')).toBe('2')
    expect(answer.headers.get('x-zip-missing')).toBe('2')
    expect(answer.headers.get('etag')).not.toBe(before.headers.get('etag'))
    const files = readArchiveFiles(answer.bytes)
    expect([...files.keys()]).toEqual(['MISSING_FILES.txt', 'MISSING_FILES.jpg', 'there.jpg'])
    const [missingFilesText, blank, ...names] = files.get('MISSING_FILES.txt')?.toString().split('\n') ?? []
    expect(missingFilesText).toMatch(/^\S.*missing/)
    expect(blank).toBe('')
    expect(names).toEqual(['Lost – ß.jpg', 'short.jpg', ''])
    expect((await api.get(archivePath(event), { range: 'bytes=0-99' })).bytes).toEqual(answer.bytes.subarray(0, 100))
  })

  test('is 404 NO_PHOTOS if it is the only one', async () => {
    const event = await createEvent(api)
    const [id = 0] = await uploadPhotos(api, event.id, 1)
    await getStoredOriginal(service, event.id, id).remove()
    expectProblem(await api.get(archivePath(event)), 404, 'NO_PHOTOS')
  })
})
