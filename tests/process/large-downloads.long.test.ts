import { crc32 } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { createEvent, enterAsGuest, uploadPhotos } from '../support/fixtures/events.ts'
import { readArchiveDirectory } from '../support/media/read-archive.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const photoCount = 500

test('the first ZIP of a watermarked gallery of 500 photos: the estimate grows and matches the ZIP to the byte', {
  timeout: 300_000,
}, async () => {
  const event = await createEvent(service.api, { watermark_downloads: true })
  await uploadPhotos(service.api, event.id, photoCount)
  const guest = await enterAsGuest(service, event)
  const path = `/api/gallery/${event.slug}`
  const counts: number[] = []
  await vi.waitUntil(
    async () => {
      const { body } = await guest.get(`${path}/download-estimate`)
      expect(body.count).toBe(photoCount)
      counts.push(body.ready_count)
      return body.ready
    },
    { timeout: 200_000, interval: 250 },
  )
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect(new Set(counts).size).toBeGreaterThan(5)

  const { bytes, headers } = await guest.get(`${path}/download-all`)
  expect(headers.get('content-length')).toBe(String(bytes.length))
  expect((await guest.get(`${path}/download-estimate`)).body.bytes).toBe(bytes.length)
  const entries = readArchiveDirectory((at, length) => bytes.subarray(at, at + length), bytes.length)
  expect(entries).toHaveLength(photoCount)
  for (const { dataStart, sizeBytes, crc32: sum } of entries) {
    expect(crc32(bytes.subarray(dataStart, dataStart + sizeBytes))).toBe(sum)
  }
})
