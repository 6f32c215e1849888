import { beforeAll, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/clients/test-client.ts'
import { createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'
import { adminUploadsPath } from '../../support/uploads/chunked-uploads.ts'

// Typical mistakes of integrators. Each is answered with a sentence that says what to do, so that nobody has to ask.

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { api, admin, anonymous, url } = service
const wedding = { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false }
const json = { 'content-type': 'application/json' }

let event: TestEvent
let archived: TestEvent
let photoId: number
let guest: TestClient
let picture: Buffer<ArrayBuffer>
let reader: TestClient
let expired: TestClient
let revoked: TestClient
let uploadPath: string

beforeAll(async () => {
  picture = await jpeg()
  event = await createEvent(api)
  photoId = (await uploadPhotos(api, event.id, 1))[0] as number
  guest = await enterAsGuest(service, event)
  archived = await createEvent(api)
  await api.post(`/api/v1/events/${archived.id}/archive`, {})
  reader = createClient(url, await createApiToken(admin, ['read']))
  const expires_at = new Date(clock.now() + 60_000).toISOString()
  const short = await admin.post('/api/admin/api-tokens', { name: 'short', scopes: ['read'], expires_at })
  expired = createClient(url, short.body.token)
  const gone = await admin.post('/api/admin/api-tokens', { name: 'gone', scopes: ['read'] })
  revoked = createClient(url, gone.body.token)
  await admin.delete(`/api/admin/api-tokens/${gone.body.id}`)
  clock.advance(120_000)
  const init = await admin.post(`${adminUploadsPath(event.id)}/init`, { filename: 'a.jpg', fileSize: 15_000_000 })
  uploadPath = `${adminUploadsPath(event.id)}/${init.body.uploadId}`
})

function sendForm(files: Array<[field: string, bytes: Uint8Array<ArrayBuffer>, type: string, name: string]>) {
  const form = new FormData()
  for (const [field, bytes, type, name] of files) form.append(field, new Blob([bytes], { type }), name)
  return api.call('POST', `/api/v1/events/${event.id}/photos`, { body: form })
}

const photos = () => `/api/v1/events/${event.id}/photos`
const sendChunk = (index: number, bytes: number, type = 'application/octet-stream') =>
  admin.call('POST', `${uploadPath}/chunk/${index}`, {
    headers: { 'content-type': type },
    body: new Uint8Array(bytes),
  })
const createWebhook = (fields: object) =>
  admin.post('/api/admin/webhooks', {
    name: 'n8n',
    url: 'https://receiver.invalid/hook',
    events: ['photo.uploaded'],
    ...fields,
  })

type Mistake = [what: string, status: number, code: string, sentence: RegExp, call: () => Promise<TestResponse>]

const mistakes: Mistake[] = [
  ['a wrong method', 405, 'METHOD_NOT_ALLOWED', /accepts GET, HEAD, POST\./, () => api.put('/api/v1/events', wedding)],
  [
    'a method to read instead of one to act',
    405,
    'METHOD_NOT_ALLOWED',
    /accepts POST\./,
    () => api.get(`/api/v1/events/${event.id}/publish`),
  ],
  ['a trailing slash', 404, 'NOT_FOUND', /Remove the slash at its end/, () => api.get('/api/v1/event-types/')],
  ['a missing /api', 404, 'NOT_FOUND', /begin with \/api\./, () => api.get('/v1/events')],
  ['a missing /v1', 404, 'NOT_FOUND', /begin with \/api\/v1/, () => api.get('/api/events')],
  ['an ID that is empty', 404, 'NOT_FOUND', /An ID or name is missing/, () => api.get('/api/v1/events//photos')],
  [
    'a slug instead of an ID',
    400,
    'VALIDATION_ERROR',
    /event_id must be a whole number/,
    () => api.get(`/api/v1/events/${event.slug}`),
  ],
  ['an unknown ID', 404, 'NOT_FOUND', /Check the IDs/, () => api.get('/api/v1/events/999999')],
  [
    'a photo of another event',
    404,
    'NOT_FOUND',
    /Check the IDs/,
    () => api.get(`/api/v1/events/${archived.id}/photos/${photoId}`),
  ],
  ['no token', 401, 'NO_TOKEN', /Authorization: Bearer prf_live_/, () => anonymous.get('/api/v1/events')],
  [
    'a token in the query',
    401,
    'NO_TOKEN',
    /Authorization: Bearer prf_live_/,
    () => anonymous.get(`/api/v1/events?token=${api.token}`),
  ],
  [
    'Basic auth',
    401,
    'NO_TOKEN',
    /Authorization: Bearer prf_live_/,
    () => anonymous.get('/api/v1/events', { authorization: 'Basic YWRtaW46eA==' }),
  ],
  [
    'a wrong header name',
    401,
    'NO_TOKEN',
    /Authorization: Bearer prf_live_/,
    () => anonymous.get('/api/v1/events', { 'x-api-key': api.token ?? '' }),
  ],
  [
    'a token without Bearer',
    401,
    'NO_TOKEN',
    /Authorization: Bearer prf_live_/,
    () => anonymous.get('/api/v1/events', { authorization: api.token ?? '' }),
  ],
  [
    'a mistyped token',
    401,
    'INVALID_TOKEN',
    /Check that it is complete/,
    () => createClient(url, `${api.token}x`).get('/api/v1/events'),
  ],
  ['an API token on an admin route', 401, 'INVALID_TOKEN', /Sign in/, () => api.get('/api/admin/events')],
  ['a session on /api/v1', 401, 'INVALID_TOKEN', /API token/, () => admin.get('/api/v1/events')],
  ['an API token in a gallery', 401, 'INVALID_TOKEN', /gallery/, () => api.get(`/api/gallery/${event.slug}/photos`)],
  ['an expired token', 401, 'TOKEN_EXPIRED', /Create a new one|Sign in again/, () => expired.get('/api/v1/events')],
  ['a revoked token', 401, 'TOKEN_REVOKED', /Create a new one|Sign in again/, () => revoked.get('/api/v1/events')],
  ['a scope that is too small', 403, 'INSUFFICIENT_SCOPE', /scope/, () => reader.post('/api/v1/events', wedding)],
  [
    'JSON with a wrong Content-Type',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    /Send the body as application\/json/,
    () =>
      api.call('POST', '/api/v1/events', { headers: { 'content-type': 'text/plain' }, body: JSON.stringify(wedding) }),
  ],
  [
    'a form instead of JSON',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    /Send the body as application\/json/,
    () => api.call('POST', '/api/v1/events', { body: new URLSearchParams(wedding as never) }),
  ],
  [
    'JSON with a comma at the end',
    400,
    'INVALID_JSON',
    /not valid JSON/,
    () => api.call('POST', '/api/v1/events', { headers: json, body: '{"event_type": "wedding",}' }),
  ],
  [
    'a list instead of an object',
    400,
    'VALIDATION_ERROR',
    /The body must be object/,
    () => api.post('/api/v1/events', [wedding]),
  ],
  ['no body', 400, 'VALIDATION_ERROR', /body/, () => api.call('POST', '/api/v1/events')],
  [
    'a missing field',
    400,
    'VALIDATION_ERROR',
    /event_name is required/,
    () => api.post('/api/v1/events', { event_type: 'wedding' }),
  ],
  [
    'a misspelt key',
    400,
    'VALIDATION_ERROR',
    /did you mean is_draft\?/,
    () => api.post('/api/v1/events', { ...wedding, is_darft: true }),
  ],
  [
    'a string instead of an integer',
    400,
    'VALIDATION_ERROR',
    /photo_cap must be integer/,
    () => api.post('/api/v1/events', { ...wedding, photo_cap: '10' }),
  ],
  [
    'a string instead of a boolean',
    400,
    'VALIDATION_ERROR',
    /is_draft must be boolean/,
    () => api.post('/api/v1/events', { ...wedding, is_draft: 'true' }),
  ],
  [
    'a date in a wrong form',
    400,
    'VALIDATION_ERROR',
    /event_date must be .*YYYY-MM-DD/,
    () => api.post('/api/v1/events', { ...wedding, event_date: '19.06.2027' }),
  ],
  [
    'an unknown event type',
    400,
    'VALIDATION_ERROR',
    /event_type must be one of wedding, /,
    () => api.post('/api/v1/events', { ...wedding, event_type: 'weding' }),
  ],
  [
    'a weak password',
    400,
    'VALIDATION_ERROR',
    /password must not consist of digits/,
    () => api.post('/api/v1/events', { ...wedding, require_password: true, password: '12345678' }),
  ],
  [
    'a read-only key in PATCH',
    400,
    'VALIDATION_ERROR',
    /slug is read-only and cannot be changed/,
    () => api.patch(`/api/v1/events/${event.id}`, { slug: 'mine' }),
  ],
  [
    'a misspelt key in PATCH',
    400,
    'VALIDATION_ERROR',
    /did you mean event_name\?/,
    () => api.patch(`/api/v1/events/${event.id}`, { event_nam: 'x' }),
  ],
  ['page 0', 400, 'VALIDATION_ERROR', /page must be >= 1/, () => api.get(`${photos()}?page=0`)],
  ['a limit of 1000', 400, 'VALIDATION_ERROR', /limit must be <= 100/, () => api.get(`${photos()}?limit=1000`)],
  ['offset and page', 400, 'VALIDATION_ERROR', /page or offset/, () => api.get('/api/v1/events?page=2&offset=10')],
  [
    'an unknown color',
    400,
    'VALIDATION_ERROR',
    /must be .*red, yellow, green, blue, purple/,
    () =>
      guest.post(`/api/gallery/${event.slug}/photos/${photoId}/feedback`, {
        feedback_type: 'color_label',
        color_label: 'orange',
      }),
  ],
  [
    'an unknown color in a filter',
    400,
    'VALIDATION_ERROR',
    /red, yellow, green, blue, purple/,
    () => api.get(`${photos()}?color_labels=orange`),
  ],
  [
    'the field file instead of photo',
    400,
    'VALIDATION_ERROR',
    /in the field photo\. Files in other fields are ignored/,
    () => sendForm([['file', picture, 'image/jpeg', 'a.jpg']]),
  ],
  [
    'two files',
    400,
    'VALIDATION_ERROR',
    /at most 1 file in the field photo/,
    () =>
      sendForm([
        ['photo', picture, 'image/jpeg', 'a.jpg'],
        ['photo', picture, 'image/jpeg', 'b.jpg'],
      ]),
  ],
  [
    'an empty file',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    /empty/,
    () => sendForm([['photo', new Uint8Array(0), 'image/jpeg', 'a.jpg']]),
  ],
  [
    'a PDF that is called an image',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    /Export it as JPEG/,
    () => sendForm([['photo', new TextEncoder().encode('%PDF-1.7\n1 0 obj'), 'image/jpeg', 'a.jpg']]),
  ],
  [
    'a file without an image type',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    /image\//,
    () => sendForm([['photo', picture, 'application/octet-stream', 'a.jpg']]),
  ],
  [
    'a video in a form',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    /Use chunked uploads for videos/,
    () => sendForm([['photo', picture, 'video/mp4', 'a.mp4']]),
  ],
  [
    'JSON instead of a form',
    400,
    'VALIDATION_ERROR',
    /Send multipart\/form-data/,
    () => api.post(photos(), { photo: 'base64' }),
  ],
  ['an upload to an archived event', 409, 'EVENT_ARCHIVED', /Restore it first/, () => api.upload(archived.id, picture)],
  ['a chunk index beyond the last', 400, 'VALIDATION_ERROR', /index must be at most 1/, () => sendChunk(7, 10)],
  ['a chunk of a wrong size', 400, 'VALIDATION_ERROR', /Chunk 0 must have 10485760 bytes/, () => sendChunk(0, 10)],
  [
    'a chunk of a wrong type',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    /Send the body as application\/octet-stream/,
    () => sendChunk(0, 10, 'image/jpeg'),
  ],
  ['a missing chunk', 400, 'MISSING_CHUNKS', /Send/, () => admin.post(`${uploadPath}/complete`, { category_id: null })],
  [
    'an unknown upload',
    404,
    'NOT_FOUND',
    /Start a new one/,
    () => admin.get(`${adminUploadsPath(event.id)}/${'0'.repeat(36)}/status`),
  ],
  [
    'a category of another event',
    400,
    'INVALID_CATEGORY',
    /category/,
    () => api.upload(event.id, picture, { fields: { category_id: 999_999 } }),
  ],
  [
    'publishing what is live',
    409,
    'ALREADY_PUBLISHED',
    /already live/,
    () => api.post(`/api/v1/events/${event.id}/publish`, {}),
  ],
  [
    'a webhook to a private address',
    400,
    'VALIDATION_ERROR',
    /WEBHOOK_ALLOW_PRIVATE_URLS|private/,
    () => createWebhook({ url: 'http://10.0.0.7/hook' }),
  ],
  ['a webhook without http', 400, 'VALIDATION_ERROR', /http/, () => createWebhook({ url: 'n8n.example.com/hook' })],
  [
    'an unknown webhook event type',
    400,
    'VALIDATION_ERROR',
    /must be one of .*photo\.uploaded/,
    () => createWebhook({ events: ['photo.upload'] }),
  ],
  [
    'a template that is not closed',
    400,
    'VALIDATION_ERROR',
    /template must only have paths such as/,
    () => createWebhook({ template: '{"text": "${data.event.slug"}' }),
  ],
  [
    'a secret in PUT',
    400,
    'VALIDATION_ERROR',
    /secret/,
    async () => {
      const { id } = (await createWebhook({})).body
      return admin.put(`/api/admin/webhooks/${id}`, { secret: 'mine' })
    },
  ],
  [
    'an Idempotency-Key for different content',
    422,
    'IDEMPOTENCY_KEY_REUSED',
    /new key/,
    async () => {
      const headers = { 'idempotency-key': 'the key of a mistake' }
      await api.post('/api/v1/events', wedding, headers)
      return api.post('/api/v1/events', { ...wedding, event_name: 'Other' }, headers)
    },
  ],
  [
    'ids that are no list of numbers',
    400,
    'INVALID_PHOTO_IDS',
    /ids=1,2,3/,
    () => guest.get(`/api/gallery/${event.slug}/download-selected?ids=a,b`),
  ],
]

test.each(mistakes)('%s: %i %s', async (_what, status, code, sentence, call) => {
  const answer = await call()
  expectProblem(answer, status, code)
  expect(answer.body.error).toMatch(sentence)
  expect(answer.body.error).toMatch(/^[A-Z_a-z].*[.?…]$/)
})

test('a GET with a body is answered without it', async () => {
  const { host } = new URL(url)
  const { sendRaw } = await import('../../support/clients/raw-http.ts')
  const head = `GET /api/v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${api.token}\r\nConnection: close\r\n`
  const { status } = await sendRaw(url, `${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`)
  expect(status).toBe(200)
})
