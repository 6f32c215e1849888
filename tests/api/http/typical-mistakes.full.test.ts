import { beforeAll, expect, test } from 'vitest'
import { sendRaw } from '../../support/clients/raw-http.ts'
import { createClient, type TestClient, type TestResponse } from '../../support/clients/test-client.ts'
import { createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'
import { adminUploadsPath } from '../../support/uploads/chunked-uploads.ts'

// Typical mistakes of integrators. The response to each is a sentence that says what to do, so that integrators need
// not ask.

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { api, admin, anonymous, url } = service
const wedding = { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false }

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

type FormFile = [field: string, bytes: Uint8Array<ArrayBuffer>, type: string, name: string]
const photo = (name: string): FormFile => ['photo', picture, 'image/jpeg', name]
const sendPhotos = (body: BodyInit, type?: string) =>
  api.call('POST', `/api/v1/events/${event.id}/photos`, { body, ...(type && { headers: { 'content-type': type } }) })
function sendForm(files: FormFile[]) {
  const form = new FormData()
  for (const [field, bytes, type, name] of files) form.append(field, new Blob([bytes], { type }), name)
  return sendPhotos(form)
}

const sendToken = /Authorization: Bearer prf_live_/
const sendChunk = (index: number, bytes: number, type = 'application/octet-stream') =>
  admin.call('POST', `${uploadPath}/chunk/${index}`, {
    headers: { 'content-type': type },
    body: new Uint8Array(bytes),
  })
const webhook = { name: 'n8n', url: 'https://receiver.invalid/hook', events: ['photo.uploaded'] }
const createWebhook = (fields: object) => admin.post('/api/admin/webhooks', { ...webhook, ...fields })
const giveColor = (color_label: string) =>
  guest.post(`/api/gallery/${event.slug}/photos/${photoId}/feedback`, { feedback_type: 'color_label', color_label })

async function reuseKey(): Promise<TestResponse> {
  const headers = { 'idempotency-key': 'the key of a mistake' }
  await api.post('/api/v1/events', wedding, headers)
  return api.post('/api/v1/events', { ...wedding, event_name: 'Other' }, headers)
}

/** A part of the error of the response, and the mistake. */
type Mistake = [sentence: RegExp, call: () => Promise<TestResponse>]

const create = (fields: object) => api.post('/api/v1/events', { ...wedding, ...fields })
const createBy = (body: BodyInit, type?: string) =>
  api.call('POST', '/api/v1/events', { body, ...(type && { headers: { 'content-type': type } }) })
const eventPath = () => `/api/v1/events/${event.id}`

const mistakes: Record<string, Mistake[]> = {
  '405 METHOD_NOT_ALLOWED': [
    [/accepts GET, HEAD, POST\./, () => api.put('/api/v1/events', wedding)],
    [/accepts POST\./, () => api.get(`${eventPath()}/publish`)],
  ],
  '404 NOT_FOUND': [
    [/See \/api\/docs/, () => api.get('/api/v1/nowhere')],
    [/Remove the slash at its end/, () => api.get('/api/v1/event-types/')],
    [/two slashes/, () => api.get('/api//v1/events')],
    [/begin with \/api\./, () => api.get('/v1/events')],
    [/begin with \/api\/v1/, () => api.get('/api/events')],
    [/An ID or name is missing/, () => api.get('/api/v1/events//photos')],
    [/nothing with this ID/, () => api.get('/api/v1/events/9007199254740991')],
    [/Check the IDs/, () => api.get(`/api/v1/events/${archived.id}/photos/${photoId}`)],
    [/Start a new one/, () => admin.get(`${adminUploadsPath(event.id)}/${'0'.repeat(36)}/status`)],
  ],
  '401 NO_TOKEN': [
    [sendToken, () => anonymous.get('/api/v1/events')],
    [sendToken, () => anonymous.get(`/api/v1/events?token=${api.token}`)],
    [sendToken, () => anonymous.get('/api/v1/events', { authorization: 'Basic YWRtaW46eA==' })],
    [sendToken, () => anonymous.get('/api/v1/events', { 'x-api-key': `${api.token}` })],
    [sendToken, () => anonymous.get('/api/v1/events', { authorization: `${api.token}` })],
  ],
  '401 INVALID_TOKEN': [
    [/Check that it is complete/, () => createClient(url, `${api.token}x`).get('/api/v1/events')],
    [/Sign in/, () => api.get('/api/admin/events')],
    [/API token/, () => admin.get('/api/v1/events')],
    [/gallery/, () => api.get(`/api/gallery/${event.slug}/photos`)],
  ],
  '401 TOKEN_EXPIRED': [[/Create a new one|Sign in again/, () => expired.get('/api/v1/events')]],
  '401 TOKEN_REVOKED': [[/Create a new one|Sign in again/, () => revoked.get('/api/v1/events')]],
  '403 INSUFFICIENT_SCOPE': [[/scope/, () => reader.post('/api/v1/events', wedding)]],
  '415 UNSUPPORTED_MEDIA_TYPE': [
    [/Send the body as application\/json/, () => createBy(JSON.stringify(wedding), 'text/plain')],
    [/Send the body as application\/json/, () => createBy(new URLSearchParams(wedding as never))],
    [/Send the body as multipart\/form-data,/, () => sendPhotos('<photo/>', 'application/xml')],
    [/empty/, () => sendForm([['photo', new Uint8Array(0), 'image/jpeg', 'a.jpg']])],
    [
      /Export it as JPEG/,
      () => sendForm([['photo', new TextEncoder().encode('%PDF-1.7\n1 0'), 'image/jpeg', 'a.jpg']]),
    ],
    [/image\//, () => sendForm([['photo', picture, 'application/octet-stream', 'a.jpg']])],
    [/Use chunked uploads for videos/, () => sendForm([['photo', picture, 'video/mp4', 'a.mp4']])],
    [/Send the body as application\/octet-stream/, () => sendChunk(0, 10, 'image/jpeg')],
  ],
  '400 INVALID_JSON': [[/not valid JSON/, () => createBy('{"event_type": "wedding",}', 'application/json')]],
  '400 VALIDATION_ERROR': [
    [/event_id must be a whole number/, () => api.get(`/api/v1/events/${event.slug}`)],
    [/The body must be object/, () => api.post('/api/v1/events', [wedding])],
    [/body/, () => api.call('POST', '/api/v1/events')],
    [/event_name is required/, () => api.post('/api/v1/events', { event_type: 'wedding' })],
    [/did you mean is_draft\?/, () => create({ is_darft: true })],
    [/photo_cap must be integer/, () => create({ photo_cap: '10' })],
    [/is_draft must be boolean/, () => create({ is_draft: 'true' })],
    [/event_date must be .*YYYY-MM-DD/, () => create({ event_date: '19.06.2027' })],
    [/event_type must be one of wedding, /, () => create({ event_type: 'weding' })],
    [/password must not consist of digits/, () => create({ require_password: true, password: '12345678' })],
    [/slug is read-only and cannot be changed/, () => api.patch(eventPath(), { slug: 'mine' })],
    [/did you mean event_name\?/, () => api.patch(eventPath(), { event_nam: 'x' })],
    [/page must be >= 1/, () => api.get(`${eventPath()}/photos?page=0`)],
    [/limit must be <= 100/, () => api.get(`${eventPath()}/photos?limit=1000`)],
    [/page or offset/, () => api.get('/api/v1/events?page=2&offset=10')],
    [/must be .*red, yellow, green, blue, purple/, () => giveColor('orange')],
    [/red, yellow, green, blue, purple/, () => api.get(`${eventPath()}/photos?color_labels=orange`)],
    [
      /in the field photo\. Files in other fields are ignored/,
      () => sendForm([['file', picture, 'image/jpeg', 'a.jpg']]),
    ],
    [/at most 1 file in the field photo/, () => sendForm([photo('a.jpg'), photo('b.jpg')])],
    [/Send multipart\/form-data/, () => api.post(`${eventPath()}/photos`, { photo: 'base64' })],
    [/index must be at most 1/, () => sendChunk(7, 10)],
    [/Chunk 0 must have 10485760 bytes/, () => sendChunk(0, 10)],
    [/WEBHOOK_ALLOW_PRIVATE_URLS|private/, () => createWebhook({ url: 'http://10.0.0.7/hook' })],
    [/http/, () => createWebhook({ url: 'n8n.example.com/hook' })],
    [/must be one of .*photo\.uploaded/, () => createWebhook({ events: ['photo.upload'] })],
    [/template must only have paths such as/, () => createWebhook({ template: '{"text": "${data.event.slug"}' })],
    [/secret/, async () => admin.put(`/api/admin/webhooks/${(await createWebhook({})).body.id}`, { secret: 'mine' })],
  ],
  '409 EVENT_ARCHIVED': [[/Restore it first/, () => api.upload(archived.id, picture)]],
  '400 MISSING_CHUNKS': [[/Send/, () => admin.post(`${uploadPath}/complete`, { category_id: null })]],
  '400 INVALID_CATEGORY': [[/category/, () => api.upload(event.id, picture, { fields: { category_id: 999_999 } })]],
  '409 ALREADY_PUBLISHED': [[/already live/, () => api.post(`${eventPath()}/publish`, {})]],
  '422 IDEMPOTENCY_KEY_REUSED': [[/new key/, reuseKey]],
  '400 INVALID_PHOTO_IDS': [[/ids=1,2,3/, () => guest.get(`/api/gallery/${event.slug}/download-selected?ids=a,b`)]],
}

test.each(Object.entries(mistakes))('%s says what to do', async (outcome, cases) => {
  for (const [sentence, call] of cases) {
    const { status, headers, body } = await call()
    expect(`${status} ${body?.code}: ${body?.error}`, `${sentence}`).toMatch(new RegExp(`^${outcome}: `))
    expect(body.error).toMatch(sentence)
    expect(body.error).toMatch(/^[A-Z_a-z].*[.?…]$/)
    if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer/)
  }
})

test('a GET with a body is answered without it', async () => {
  const head = `GET /api/v1/events HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${api.token}`
  const rest = 'Connection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
  expect((await sendRaw(url, `${head}\r\n${rest}`)).status).toBe(200)
})
