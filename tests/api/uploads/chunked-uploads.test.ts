import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { getStoredOriginal } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { adminUploadsPath, initUpload, largeJpeg, splitIntoChunks } from '../../support/uploads/chunked-uploads.ts'

const service = await sharedService()
const { admin, api } = service
const file = await largeJpeg(2 * chunkBytes + 12_345)
const chunks = splitIntoChunks(file)

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

describe('a file in chunks', () => {
  test('sent in any order and in parallel becomes one photo with the same bytes', async () => {
    const event = await createEvent(api)
    const upload = await initUpload(admin, adminUploadsPath(event.id), { fileSize: file.length, totalChunks: 3 })
    const answers = await Promise.all(
      [2, 0, 1].map((index) => upload.chunk(index, chunks[index] as Buffer<ArrayBuffer>)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const completed = await upload.complete({ category_id: null })
    expect(completed.body).toMatchObject({ success: true, uploaded: 1, photos: [{ original_filename: 'large.jpg' }] })
    const [photo] = completed.body.photos
    expect(photo).toMatchObject({ size_bytes: file.length, uploaded_by: 'admin', media_type: 'image', width: 60 })
    expect(photo.content_hash).toBe(sha256(Buffer.concat(chunks.map(sha256))).toString('hex'))
    expect((await getStoredOriginal(service, event.id, photo.id).read()).equals(file)).toBe(true)
  })
})
