import { beforeEach, expect, test } from 'vitest'
import { maxNotesPerGuest } from '../../../contract/gallery/notes.ts'
import { openLiveStream } from '../../support/clients/live-events.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { copyRow } from '../../support/database/copy-rows.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createApiToken } from '../../support/fixtures/accounts.ts'
import type { TestEvent } from '../../support/fixtures/events.ts'
import { createMarkableGallery } from '../../support/fixtures/marks.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin } = service

let event: TestEvent
let ids: [number, number]
let ana: TestClient
let ben: TestClient
beforeEach(() => openEvent())

async function openEvent(body = {}) {
  const opened = await createMarkableGallery(service, { allow_notes: true, ...body })
  ;({ event, ids } = opened)
  ;[ana, ben] = opened.guests
}

const path = (rest = '') => `/api/gallery/${event.slug}/notes${rest}`
const write = (guest: TestClient, body: object, headers = {}) => guest.post(path(), body, headers)
const listOwn = async (guest: TestClient, query = '') => (await guest.get(path(query))).body.notes
const adminList = (query = '') => admin.get(`/api/admin/feedback/events/${event.id}/notes${query}`)
const mark = (id: number, what: 'done' | 'open') => admin.put(`/api/admin/feedback/notes/${id}/${what}`, undefined)

test('a note about a photo or the gallery is read by its guest and the operators only', async () => {
  const about = await write(ana, { text: '  Please retouch\nthe sky ', photo_id: ids[0], guest_name: 'Ana' })
  expect(about.status).toBe(200)
  const created_at = expect.any(String)
  expect(about.body).toEqual({
    id: expect.any(Number),
    photo_id: ids[0],
    text: 'Please retouch\nthe sky',
    is_done: false,
    created_at,
  })
  const general = (await write(ana, { text: 'Thank you' })).body
  expect(await listOwn(ana)).toEqual([general, about.body])
  expect(await listOwn(ana, `?photo_id=${ids[0]}`)).toEqual([about.body])
  expect([await listOwn(ben), await listOwn(admin)]).toEqual([[], []])
  const { body } = await adminList()
  expect(body.notes[1]).toMatchObject({ photo_id: ids[0], guest_name: 'Ana', status: 'open', done_at: null })
  expect(body.pagination.total).toBe(2)
  expect((await service.api.get(`/api/v1/events/${event.id}/notes`)).body).toEqual(body)

  // A note is not a comment: it is not shown and not counted with the photo.
  const { feedback, summary } = (await ben.get(`/api/gallery/${event.slug}/photos/${ids[0]}/feedback`)).body
  expect([feedback, summary.comment_count]).toEqual([[], 0])
})

test('a token reads private notes only with the right to', async () => {
  await write(ana, { text: 'Remove the lamp', photo_id: ids[0] })
  await ana.post(`/api/gallery/${event.slug}/photos/${ids[0]}/feedback`, { feedback_type: 'rating', rating: 4 })
  const answer = await admin.post('/api/admin/api-tokens', { name: 'Shop', scopes: ['admin'] })
  expect(answer.body.reads_notes).toBe(false)
  const shop = createClient(service.url, answer.body.token)
  const rejected = await shop.get(`/api/v1/events/${event.id}/notes`)
  expectProblem(rejected, 403, 'FORBIDDEN')
  expect(rejected.body.error).toContain('reads_notes')
  const readTable = async (client: TestClient) =>
    (await client.get(`/api/v1/events/${event.id}/export?format=csv&headers=en`)).bytes.toString()
  expect(await readTable(shop)).not.toMatch(/Private notes|Remove the lamp/)

  const reader = createClient(service.url, await createApiToken(admin, ['read'], { readsNotes: true }))
  expect((await reader.get(`/api/v1/events/${event.id}/notes`)).body.notes).toHaveLength(1)
  expect(await readTable(reader)).toMatch(/Private notes[\s\S]*Remove the lamp/)
  const tokens = (await admin.get('/api/admin/api-tokens')).body as Array<{ id: number; reads_notes: boolean }>
  expect(tokens.find(({ id }) => id === answer.body.id)).toMatchObject({ reads_notes: false })
  expect((await reader.get('/api/v1/me')).body.token).toMatchObject({ reads_notes: true })
})

test('an operator marks a note as done and open again', async () => {
  const { id } = (await write(ana, { text: 'Thank you' })).body
  const done = await mark(id, 'done')
  expect(done.body).toMatchObject({ id, status: 'done', done_at: expect.any(String), done_by: expect.any(Number) })
  expect((await mark(id, 'done')).body.done_at).toBe(done.body.done_at)
  expect((await listOwn(ana))[0].is_done).toBe(true)
  const total = async (status: string) => (await adminList(`?status=${status}`)).body.pagination.total
  expect([await total('open'), await total('done')]).toEqual([0, 1])
  expect((await mark(id, 'open')).body).toMatchObject({ status: 'open', done_at: null, done_by: null })
  expect([await total('open'), await total('done')]).toEqual([1, 0])

  await admin.post(`/api/admin/events/${event.id}/archive`, undefined)
  expectProblem(await mark(id, 'done'), 409, 'EVENT_ARCHIVED')
})

test('a guest deletes only an own note, also while notes are off', async () => {
  const { id } = (await write(ana, { text: 'Thank you' })).body
  await admin.patch(`/api/admin/events/${event.id}`, { allow_notes: false })
  expectProblem(await ben.delete(path(`/${id}`)), 404, 'NOT_FOUND')
  expect((await ana.delete(path(`/${id}`))).body).toEqual({ success: true, id })
  expectProblem(await ana.delete(path(`/${id}`)), 404, 'NOT_FOUND')
  expect((await adminList()).body.notes).toEqual([])
})

test('notes are off by default and with all feedback, and require a name if the event requires one', async () => {
  const change = (body: object) => admin.patch(`/api/admin/events/${event.id}`, body)
  await openEvent({ allow_notes: undefined })
  expectProblem(await write(ana, { text: 'x' }), 403, 'FEEDBACK_DISABLED')
  await change({ allow_notes: true, feedback_enabled: false })
  expectProblem(await write(ana, { text: 'x' }), 403, 'FEEDBACK_DISABLED')
  await change({ feedback_enabled: true, allow_comments: false, require_guest_name: true })
  expectInvalidField(await write(ana, { text: 'x' }), 'guest_name')
  expect((await write(ana, { text: 'x', guest_name: 'Ana' })).status).toBe(200)
  expect((await write(ana, { text: 'y' })).status).toBe(200)
})

test('a hidden photo takes no note, and its id is left out of earlier ones', async () => {
  await write(ana, { text: 'Nice', photo_id: ids[0] })
  await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
  expectProblem(await write(ana, { text: 'Nice', photo_id: ids[0] }), 404, 'NOT_FOUND')
  expect(await listOwn(ana)).toMatchObject([{ text: 'Nice', photo_id: null }])
  await admin.delete(`/api/admin/photos/${event.id}/photos/${ids[0]}`)
  expect((await ana.get(path(`?photo_id=${ids[0]}`))).body.pagination.total).toBe(0)
  expect((await adminList()).body.notes).toMatchObject([{ text: 'Nice', photo_id: null, original_filename: null }])
})

test('a note has 1 to 2000 characters, an Idempotency-Key stores it once, and a guest has at most 100', async () => {
  for (const text of ['', '  ', '\u200b', 'x'.repeat(2001)]) expectInvalidField(await write(ana, { text }), 'text')
  const body = { text: '👍'.repeat(2000) }
  const key = { 'idempotency-key': 'the first note' }
  const first = await write(ana, body, key)
  const again = await write(ana, body, key)
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true'])
  expectProblem(await write(ana, { text: 'Other' }, key), 422, 'IDEMPOTENCY_KEY_REUSED')
  expect(await listOwn(ana)).toHaveLength(1)

  await changeDatabase(service, (stored) => copyRow(stored, 'threads', first.body.id, maxNotesPerGuest - 1, {}))
  expectProblem(await write(ana, { text: 'y' }), 409, 'NOTE_LIMIT_REACHED')
  expect((await write(ben, { text: 'y' })).status).toBe(200)
})

test('is announced to open streams, moves when guests are merged, and is deleted with its event', async () => {
  const { first } = await openLiveStream(service, event.id)
  await write(ana, { text: 'Thank you', guest_name: 'Ana' })
  await write(ben, { text: 'Me too' })
  for (const message of await first(2)) expect(message).toMatchObject({ event: 'guest', data: { did: 'noted' } })
  const [fromBen, fromAna] = (await adminList()).body.notes
  const merged = { from: fromBen.guest_id, into: fromAna.guest_id }
  expect((await admin.post(`/api/admin/events/${event.id}/guests/merge`, merged)).status).toBe(200)
  expect((await listOwn(ben)).map(({ text }: { text: string }) => text)).toEqual(['Me too', 'Thank you'])

  await admin.delete(`/api/admin/events/${event.id}`)
  const left = readDatabase(service, (stored) =>
    stored.prepare('select count(*) from threads where event_id = ?').pluck().get(event.id),
  )
  expect(left).toBe(0)
})
