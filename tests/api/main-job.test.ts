import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEvent, enterAsGuest, uploadPhotos } from '../support/events.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

describe('the main job', () => {
  test('a photo uploaded by token is seen and downloaded by a guest with the share link', async () => {
    const event = await createEvent(service.api)
    const [photoId] = await uploadPhotos(service.api, event.id, 1)
    const guest = await enterAsGuest(service, event)

    const list = await guest.get(`/api/gallery/${event.slug}/photos`)
    expect(list.body.photos).toHaveLength(1)
    const thumbnail = await guest.get(list.body.photos[0].thumbnail_url)
    expect(thumbnail.headers.get('content-type')).toBe('image/jpeg')
    const download = await guest.get(`/api/gallery/${event.slug}/download/${photoId}`)
    expect(download.headers.get('content-disposition')).toContain('photo-1.jpg')
    expect(download.bytes.length).toBe(list.body.photos[0].size_bytes)
  })
})
