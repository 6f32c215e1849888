import { jpeg } from '../media/pictures.ts'
import { createClient, type TestClient } from '../clients/test-client.ts'
import type { TestService } from '../service/test-service.ts'

export type TestEvent = { id: number; slug: string; share_token: string; share_url: string }

/** Creates a live wedding without a password. `body` overrides these defaults. */
export async function createEvent(api: TestClient, body: Record<string, unknown> = {}): Promise<TestEvent> {
  const response = await api.post('/api/v1/events', {
    event_type: 'wedding',
    event_name: 'Ana & Ben',
    require_password: false,
    ...body,
  })
  if (response.status !== 201) throw new Error(`The event was not created: ${JSON.stringify(response.body)}`)
  return response.body
}

export async function uploadPhotos(api: TestClient, eventId: number, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let index = 1; index <= count; index++) {
    const response = await api.upload(eventId, await jpeg({ seed: index }), { name: `photo-${index}.jpg` })
    if (response.status !== 201) throw new Error(`The photo was not uploaded: ${JSON.stringify(response.body)}`)
    ids.push(response.body.id)
  }
  return ids
}

export async function enterAsGuest(service: TestService, { slug, share_token }: TestEvent): Promise<TestClient> {
  const { body } = await service.anonymous.post('/api/auth/gallery/share-login', { slug, token: share_token })
  return createClient(service.url, body.token)
}
