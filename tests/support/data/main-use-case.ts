import { expect } from 'vitest'
import { createEvent, enterAsGuest, uploadPhotos } from './events.ts'
import type { TestService } from '../service/test-service.ts'

/** Runs the main use case: upload a photo by token, then view and download it as a guest with the share link. */
export async function runMainUseCase(service: TestService): Promise<void> {
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
}
