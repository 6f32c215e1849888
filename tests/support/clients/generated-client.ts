// Runs the main operations with openapi-fetch and the types that openapi-typescript generates from the served
// description. A test copies this program next to the generated types, compiles it and runs it. Arguments: address,
// token, a JPEG.
import { openAsBlob } from 'node:fs'
import createClient from 'openapi-fetch'
import type { components, paths } from './proofroom.ts'

type Problem = components['schemas']['Problem']
type Photo = components['schemas']['Photo']

const [, , baseUrl = '', token = '', file = ''] = process.argv
const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })

/** Returns the data of a response. Throws an Error with the problem code if the request was rejected. */
function must<T>({ data, error }: { data?: T; error?: Problem }): T {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.error}`)
  return data
}

const created = must(
  await api.POST('/api/v1/events', {
    params: { header: { 'idempotency-key': 'the first of today' } },
    body: { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false, is_draft: true },
  }),
)
const path = { event_id: created.id }

const form = new FormData()
form.append('photo', await openAsBlob(file, { type: 'image/jpeg' }), 'DSC_0001.jpg')
const uploaded = must(
  await api.POST('/api/v1/events/{event_id}/photos', {
    params: { path },
    body: { photo: 'in the form' },
    bodySerializer: () => form,
  }),
)
if ('replaced' in uploaded) throw new Error('A new photo replaces none')
const { id: photo_id, size_bytes }: Photo = uploaded

const listed = must(await api.GET('/api/v1/events/{event_id}/photos', { params: { path, query: { limit: 100 } } }))
const marks = listed.photos.map(
  (photo) => [photo.source_filename, photo.rating, photo.color_labels.green ?? 0] as const,
)

const changed = must(
  await api.PATCH('/api/v1/events/{event_id}', { params: { path }, body: { welcome_message: 'Here they are' } }),
)
const published = must(await api.POST('/api/v1/events/{event_id}/publish', { params: { path } }))
const link = must(await api.GET('/api/v1/events/{event_id}/share-link', { params: { path } }))

const download = await api.GET('/api/v1/events/{event_id}/photos/{photo_id}/download', {
  params: { path: { ...path, photo_id } },
  parseAs: 'arrayBuffer',
})
const again = await api.POST('/api/v1/events/{event_id}/publish', { params: { path } })
const deleted = must(await api.DELETE('/api/v1/events/{event_id}', { params: { path } }))

process.stdout.write(
  JSON.stringify({
    marks,
    welcome: changed.welcome_message,
    isDraft: [changed.is_draft, published.is_draft],
    isSameLink: link.share_url === created.share_url && link.share_url.endsWith(published.share_link),
    downloaded: [download.data?.byteLength === size_bytes, download.response.headers.get('etag') !== null],
    refused: again.error?.code,
    deleted,
  }),
)
