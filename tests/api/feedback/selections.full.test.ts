import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { copyRow } from '../../support/database/copy-rows.ts'
import { makeWritesFail } from '../../support/database/failing-writes.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { admin, api } = service
await createTestWebhook(service)

let event: TestEvent
let ids: number[]
let guest: TestClient
beforeEach(() => openEvent())

async function openEvent(body: Record<string, unknown> = {}) {
  event = await createEvent(api, body)
  ids = await uploadPhotos(api, event.id, 3)
  guest = await enterAsGuest(service, event)
}

const give = (photo: number, body: object, client = guest) =>
  client.post(`/api/gallery/${event.slug}/photos/${ids[photo]}/feedback`, body)
const favor = (photo: number, client = guest) => give(photo, { feedback_type: 'favorite' }, client)
const like = (photo: number, client = guest) => give(photo, { feedback_type: 'like' }, client)
const submit = (body: unknown = {}, client = guest, headers = {}) =>
  client.post(`/api/gallery/${event.slug}/selection`, body, headers)
const listSelections = async (query = '') =>
  (await admin.get(`/api/admin/events/${event.id}/selections${query}`)).body.selections
const loadOwnSelection = async (client = guest) =>
  (await client.get(`/api/gallery/${event.slug}/selection`)).body.selection
const guestIdOf = ({ token }: TestClient): string =>
  JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()).gid

const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const reply = (number: number, count: number) => ({
  success: true,
  number,
  count,
  video_count: 0,
  state: null,
  extra_count: null,
  content_sha256: null,
  is_notifying: true,
  created_at,
})

const listAnnounced = () =>
  listAnnouncedOf(service, event.id).flatMap(({ type, data }) => (type === 'selection.submitted' ? data : []))
const listMails = () =>
  readDatabase(service, (stored) =>
    stored.prepare(`select * from mails where kind = 'selection_submitted' and event_id = ? order by id`).all(event.id),
  ) as Array<Record<string, string | null>>

describe('a selection', () => {
  test('is created once for each Idempotency-Key of a guest, and announced once', { tags: 'database' }, async () => {
    await favor(0)
    const key = { 'idempotency-key': 'to the album' }
    const first = await submit({ note: 'For the album' }, guest, key)
    await favor(1)
    const again = await submit({ note: 'For the album' }, guest, key)
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([200, 'true', first.body])
    expect([(await listSelections()).length, listAnnounced().length, listMails().length]).toEqual([1, 1, 1])
    expectProblem(await submit({ note: 'For the wall' }, guest, key), 422, 'IDEMPOTENCY_KEY_REUSED')

    const another = await enterAsGuest(service, event)
    expectProblem(await submit({}, another, key), 400, 'NOTHING_SELECTED')
    await favor(2, another)
    expect((await submit({}, another, key)).body).toEqual(reply(1, 1))
  })

  test('contains the favorites, has a number of its guest, and can be submitted again', async () => {
    await favor(2)
    await favor(0)
    await like(1)
    for (const note of ['x'.repeat(2001), 7]) expectInvalidField(await submit({ note }), 'note')
    const first = await submit({ note: '  For the album ' })
    expect([first.status, first.body]).toEqual([200, reply(1, 2)])
    await favor(0)
    expect((await submit(null)).body).toEqual(reply(2, 1))
    const another = await enterAsGuest(service, event)
    await favor(1, another)
    expect((await another.call('POST', `/api/gallery/${event.slug}/selection`)).body).toEqual(reply(1, 1))
    expect(await listSelections()).toMatchObject([
      { number: 1, note: null, count: 1, video_count: 0, photo_ids: [ids[1]] },
      { number: 2, note: null, count: 1, video_count: 0, photo_ids: [ids[2]] },
      { number: 1, note: 'For the album', count: 2, video_count: 0, photo_ids: [ids[0], ids[2]] },
    ])
    const path = `/api/admin/events/${event.id}/selections?limit=1&page=2`
    const pagination = { page: 2, limit: 1, total: 3, pages: 3 }
    expect((await admin.get(path)).body).toMatchObject({ selections: [{ number: 2 }], pagination })
  })

  test('is what the guest likes without a favorite: likes, and four stars or more; nothing else is', async () => {
    await give(1, { feedback_type: 'rating', rating: 3 })
    await give(1, { feedback_type: 'color_label', color_label: 'red' })
    expectProblem(await submit(), 400, 'NOTHING_SELECTED')
    expect([await listSelections(), listAnnounced(), listMails()]).toEqual([[], [], []])
    await like(0)
    await give(2, { feedback_type: 'rating', rating: 4 })
    expect((await submit()).body.count).toBe(2)
    expect((await listSelections())[0].photo_ids).toEqual([ids[0], ids[2]])
    expect((await loadOwnSelection()).changed_photo_ids).toEqual([])
    await give(1, { feedback_type: 'rating', rating: 4 })
    expect((await loadOwnSelection()).changed_photo_ids).toEqual([ids[1]])
    await favor(1)
    expect((await loadOwnSelection()).changed_photo_ids).toEqual([ids[1], ids[0], ids[2]])
  })

  test('omits photos that are hidden, and stays as submitted when photos are hidden or deleted later', async () => {
    for (const photo of [0, 1, 2]) await favor(photo)
    const change = (photo: number, visibility: string) =>
      admin.patch(`/api/admin/photos/${event.id}/photos/${ids[photo]}`, { visibility })
    await change(0, 'hidden')
    expect((await submit()).body.count).toBe(2)
    await change(0, 'visible')
    expect((await submit()).body.count).toBe(3)
    await change(0, 'hidden')
    await admin.delete(`/api/admin/photos/${event.id}/photos/${ids[1]}`)
    expect(await loadOwnSelection()).toMatchObject({ count: 3, changed_photo_ids: [] })
    await favor(2)
    expect((await loadOwnSelection()).changed_photo_ids).toEqual([ids[2]])
    expect((await listSelections())[0]).toMatchObject({ count: 3, photo_ids: ids })
  })

  test('requires a name if the event requires one, given here or before', async () => {
    await favor(0)
    await api.patch(`/api/v1/events/${event.id}`, { require_guest_name: true })
    for (const body of [{}, null, { guest_name: ' ' }]) expectInvalidField(await submit(body), 'guest_name')
    expect(listAnnounced()).toEqual([])
    expect((await submit({ guest_name: 'Zoë' })).status).toBe(200)
    expect((await submit()).status).toBe(200)
    expect((await listSelections())[0].guest.name).toBe('Zoë')
  })

  test('is numbered in sequence, also for simultaneous requests', { tags: 'database' }, async () => {
    await favor(0)
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit()))
    expect(answers.map(({ body }) => body.number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('moves when its guest is merged, and the numbers continue', async () => {
    await favor(0)
    await submit({ note: 'phone' })
    const laptop = await enterAsGuest(service, event)
    await favor(1, laptop)
    await submit({ note: 'laptop' }, laptop)
    const body = { from: guestIdOf(guest), into: guestIdOf(laptop) }
    expect((await admin.post(`/api/admin/events/${event.id}/guests/merge`, body)).status).toBe(200)
    for (const client of [guest, laptop]) {
      expect(await loadOwnSelection(client)).toMatchObject({ changed_photo_ids: [ids[0]] })
    }
    expect((await submit()).body).toEqual(reply(3, 2))
    expect(await listSelections()).toMatchObject([
      { number: 3, note: null },
      { number: 1, note: 'laptop' },
      { number: 2, note: 'phone' },
    ])
  })

  test('is marked as done and open again by an operator; a later one of its guest takes its place', async () => {
    const listOpen = () => listSelections('?status=open')
    const mark = (id: number, what: 'done' | 'open') =>
      admin.put(`/api/admin/feedback/selections/${id}/${what}`, undefined)
    await favor(0)
    await submit()
    const [{ id, done_at }] = await listOpen()
    expect(done_at).toBeNull()
    const done = await mark(id, 'done')
    expect([done.status, done.body]).toEqual([200, { id, event_id: event.id, done_at: created_at }])
    expect((await mark(id, 'done')).body).toEqual(done.body)
    expect([await listOpen(), (await listSelections())[0].done_at]).toEqual([[], done.body.done_at])
    expect((await mark(id, 'open')).body.done_at).toBeNull()

    const another = await enterAsGuest(service, event)
    await favor(1, another)
    await submit({}, another)
    expect((await listOpen()).map(({ number }: { number: number }) => number)).toEqual([1, 1])
    await favor(2)
    await submit()
    expect((await listOpen()).map(({ number }: { number: number }) => number)).toEqual([2, 1])
  })
})

test('the last selection is returned to its guest alone, with the picks that differ now, until they are the same again', async () => {
  expect(await loadOwnSelection()).toBeNull()
  await favor(0)
  await favor(1)
  expect(await loadOwnSelection()).toBeNull()
  const { created_at } = (await submit()).body
  const unchanged = { number: 1, count: 2, created_at, notified_at: null, changed_photo_ids: [] }
  expect(await loadOwnSelection()).toEqual(unchanged)
  await favor(0)
  await favor(2)
  expect((await loadOwnSelection()).changed_photo_ids).toEqual([ids[2], ids[0]])
  await favor(0)
  await favor(2)
  expect(await loadOwnSelection()).toEqual(unchanged)
  expect(await loadOwnSelection(await enterAsGuest(service, event))).toBeNull()
  expect(await loadOwnSelection(admin)).toBeNull()

  // More photos than one query handles.
  const many = Array.from({ length: 1_200 }, (_, index) => 1_000_000 + index)
  await changeDatabase(service, (stored) =>
    stored
      .prepare('update selections set photo_ids = ? where event_id = ?')
      .run(JSON.stringify([...many, ...ids]), event.id),
  )
  expect((await loadOwnSelection()).changed_photo_ids).toEqual([ids[2]])
})

describe('the operator', () => {
  test('is notified by selection.submitted and by a mail, in the transaction of the selection', async () => {
    await openEvent({ admin_email: 'studio@example.com', event_name: 'Ana <b>&</b> Ben' })
    await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Zoë <i>', email: 'zoe@example.com' })
    await favor(0)
    await favor(2)
    await changeDatabase(service, (stored) =>
      stored.prepare(`update photos set media_type = 'video' where id = ?`).run(ids[2]),
    )
    const restoreWrites = await makeWritesFail(service, 'insert on mails')
    expectProblem(await submit(), 500, 'INTERNAL_ERROR')
    await restoreWrites()
    expect([await listSelections(), listAnnounced()]).toEqual([[], []])

    await submit({ note: 'Please\nin black & white' })
    expect(listAnnounced()).toEqual([
      {
        event: expect.objectContaining({ id: event.id, slug: event.slug, share_url: expect.any(String) }),
        selection: {
          id: expect.any(Number),
          number: 1,
          guest: { id: guestIdOf(guest), name: 'Zoë <i>', email: 'zoe@example.com' },
          note: 'Please\nin black & white',
          count: 2,
          photo_ids: [ids[0], ids[2]],
          round: null,
          extra_count: null,
          content_sha256: null,
        },
      },
    ])
    expect(listMails()).toMatchObject([
      {
        recipient: 'studio@example.com',
        reply_to: 'zoe@example.com',
        subject: 'Selection from Zoë <i>: Ana <b>&</b> Ben',
        text_body: expect.stringMatching(
          /selection 1, 1 photo and 1 video[\s\S]*Please in black & white[\s\S]*Files: photo-1\.jpg, photo-3\.jpg[\s\S]*\/admin\/events\/\d+\/picks/,
        ),
        html_body: expect.not.stringContaining('<i>'),
      },
    ])
  })

  test('gets the mail in the language of the instance, at the address of the creator if the event has none', async () => {
    const { api: other, email } = await createAccount(service, 'admin')
    event = await createEvent(other)
    ids = await uploadPhotos(other, event.id, 1)
    guest = await enterAsGuest(service, event)
    await favor(0)
    await submit()
    await admin.put('/api/admin/settings', { general_default_language: 'de' })
    await submit()
    await admin.put('/api/admin/settings', { general_default_language: 'en' })
    const german = 'in der Galerie „Ana & Ben“ hat ein Gast eine Auswahl gesendet: Auswahl 2, 1 Foto.'
    expect(listMails()).toMatchObject([
      { recipient: email, reply_to: null, text_body: expect.stringContaining('a guest submitted picks') },
      { subject: 'Auswahl gesendet: ein Gast, Ana & Ben', text_body: expect.stringContaining(german) },
    ])
  })
})

test('selections that are submitted at the same time do not exceed the limit of mails together', async () => {
  const clock = createMovableClock()
  const limited = await serviceForTest({ environment: { RATE_LIMIT: 'on' }, edges: { clock } })
  const picked = await createEvent(limited.api)
  const [photoId] = await uploadPhotos(limited.api, picked.id, 1)
  const path = `/api/gallery/${picked.slug}`
  /** Returns a function that submits the picks of a new guest. */
  const prepareGuest = async () => {
    const client = await enterAsGuest(limited, picked)
    await client.post(`${path}/photos/${photoId}/feedback`, { feedback_type: 'favorite' })
    return () => client.post(`${path}/selection`, {})
  }
  const ofKind = `from mails where kind = 'selection_submitted'`
  const countMails = () =>
    readDatabase(limited, (stored) => Number(stored.prepare(`select count(*) ${ofKind}`).pluck().get()))

  const [first, second, third] = [await prepareGuest(), await prepareGuest(), await prepareGuest()]
  await first()
  await changeDatabase(limited, (stored) => {
    const id = stored.prepare<[], number>(`select id ${ofKind}`).pluck().get()
    copyRow(stored, 'mails', id, 58, { selection_id: 'null' })
  })
  const answers = await Promise.all([second(), third()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(countMails()).toBe(60)
  expect((await limited.admin.get(`/api/admin/events/${picked.id}/selections`)).body.selections).toHaveLength(3)

  clock.advance(3_601_000)
  await second()
  expect(countMails()).toBe(61)
})
