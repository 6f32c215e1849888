import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { copyRow } from '../../support/database/copy-rows.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { admin, anonymous, api } = service
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
const listSelections = async (client = admin) =>
  (await client.get(`/api/admin/events/${event.id}/selections`)).body.selections

const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const loadOwnSelection = async (client = guest) =>
  (await client.get(`/api/gallery/${event.slug}/selection`)).body.selection

const listAnnounced = () =>
  listAnnouncedOf(service, event.id).flatMap(({ type, data }) => (type === 'selection.submitted' ? data : []))
const listMails = () =>
  readDatabase(service, (stored) =>
    stored.prepare(`select * from mails where kind = 'selection_submitted' and event_id = ?`).all(event.id),
  ) as Array<Record<string, string | null>>

describe('a selection', () => {
  test('is created once for each Idempotency-Key of a guest, and announced once', async () => {
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
    expect((await submit({}, another, key)).body).toEqual({
      success: true,
      number: 1,
      count: 1,
      video_count: 0,
      is_notifying: true,
      created_at,
    })
  })

  test('contains the favorites, has a number, and can be submitted again', async () => {
    await favor(2)
    await favor(0)
    await like(1)
    const first = await submit({ note: '  For the album ' })
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ success: true, number: 1, count: 2, video_count: 0, is_notifying: true, created_at })
    await favor(0)
    expect((await submit(null)).body).toEqual({
      success: true,
      number: 2,
      count: 1,
      video_count: 0,
      is_notifying: true,
      created_at,
    })
    const another = await enterAsGuest(service, event)
    await favor(1, another)
    expect((await submit({}, another)).body.number).toBe(1)
    expect(
      (await listSelections()).map(
        ({ id: _id, created_at: _at, guest: _guest, done_at: _done, ...rest }: { [key: string]: unknown }) => rest,
      ),
    ).toEqual([
      { number: 1, note: null, count: 1, video_count: 0, photo_ids: [ids[1]] },
      { number: 2, note: null, count: 1, video_count: 0, photo_ids: [ids[2]] },
      { number: 1, note: 'For the album', count: 2, video_count: 0, photo_ids: [ids[0], ids[2]] },
    ])
  })

  test('needs no body', async () => {
    await favor(0)
    expect((await guest.call('POST', `/api/gallery/${event.slug}/selection`)).body).toMatchObject({ number: 1 })
  })

  test('is what the guest likes if there is no favorite: likes, and four stars or more', async () => {
    await like(0)
    await give(1, { feedback_type: 'rating', rating: 3 })
    await give(2, { feedback_type: 'rating', rating: 4 })
    expect((await submit()).body.count).toBe(2)
    expect((await listSelections())[0].photo_ids).toEqual([ids[0], ids[2]])
  })

  test('of nothing is 400 NOTHING_SELECTED, and stores and announces nothing', async () => {
    await give(0, { feedback_type: 'rating', rating: 1 })
    await give(0, { feedback_type: 'color_label', color_label: 'red' })
    expectProblem(await submit(), 400, 'NOTHING_SELECTED')
    expect([await listSelections(), listAnnounced(), listMails()]).toEqual([[], [], []])
  })

  test('omits photos that guests no longer see', async () => {
    await favor(0)
    await favor(1)
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
    expect((await submit()).body.count).toBe(1)
  })

  test('stays as it was submitted, whatever happens to marks and photos', async () => {
    await favor(0)
    await favor(1)
    await submit()
    await favor(0)
    await admin.delete(`/api/admin/photos/${event.id}/photos/${ids[1]}`)
    expect((await listSelections())[0]).toMatchObject({ count: 2, photo_ids: [ids[0], ids[1]] })
  })

  test('requires a name if the event requires one, given here or before', async () => {
    await openEvent({ require_guest_name: true })
    await changeDatabase(service, (stored) =>
      stored
        .prepare(
          `insert into feedback (event_id, photo_id, guest_id, kind, is_visible, created_at, updated_at)
           values (?, ?, ?, 'favorite', 1, 0, 0)`,
        )
        .run(event.id, ids[0], parseClaims(guest).gid),
    )
    for (const body of [{}, null, { guest_name: ' ' }]) expectInvalidField(await submit(body), 'guest_name')
    expect(listAnnounced()).toEqual([])
    expect((await submit({ guest_name: 'Zoë' })).status).toBe(200)
    expect((await submit()).status).toBe(200)
    expect((await listSelections())[0].guest.name).toBe('Zoë')
  })

  test('is rejected before the reveal, without feedback, in an archived gallery, and for operators', async () => {
    await favor(0)
    expectProblem(await submit({}, admin), 403, 'FORBIDDEN')
    expectProblem(await submit({}, anonymous), 401, 'NO_TOKEN')
    const changeEvent = (body: object) => api.patch(`/api/v1/events/${event.id}`, body)
    await changeEvent({ feedback_enabled: false })
    expectProblem(await submit(), 403, 'FEEDBACK_DISABLED')
    await changeEvent({ feedback_enabled: true, reveal_at: new Date(Date.now() + 60_000).toISOString() })
    expectProblem(await submit(), 404, 'NOT_FOUND')
    await changeEvent({ reveal_at: null })
    await api.post(`/api/v1/events/${event.id}/archive`, {})
    expectProblem(await submit(), 404, 'NOT_FOUND')
    expect(listAnnounced()).toEqual([])
  })

  test('has a note of at most 2000 characters', async () => {
    await favor(0)
    expectInvalidField(await submit({ note: 'x'.repeat(2001) }), 'note')
    expectInvalidField(await submit({ note: 7 }), 'note')
    expect((await submit({ note: 'x'.repeat(2000) })).status).toBe(200)
  })

  test('is numbered in sequence, also for simultaneous requests', async () => {
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
    const body = { from: parseClaims(guest).gid, into: parseClaims(laptop).gid }
    expect((await admin.post(`/api/admin/events/${event.id}/guests/merge`, body)).status).toBe(200)
    expect((await submit()).body).toEqual({
      success: true,
      number: 3,
      count: 2,
      video_count: 0,
      is_notifying: true,
      created_at,
    })
    const numbers = (await listSelections()).map(({ number, note }: { number: number; note: string }) => [number, note])
    expect(numbers).toEqual([
      [3, null],
      [1, 'laptop'],
      [2, 'phone'],
    ])
  })
})

describe('an open selection', () => {
  const listOpen = async () => (await admin.get(`/api/admin/events/${event.id}/selections?status=open`)).body.selections
  const mark = (id: number, what: 'done' | 'open') =>
    admin.put(`/api/admin/feedback/selections/${id}/${what}`, undefined)

  test('is marked as done and open again by an operator', async () => {
    await favor(0)
    await submit()
    const [{ id, done_at }] = await listOpen()
    expect(done_at).toBeNull()
    const done = await mark(id, 'done')
    expect([done.status, done.body]).toEqual([200, { id, event_id: event.id, done_at: created_at }])
    expect((await mark(id, 'done')).body).toEqual(done.body)
    expect([await listOpen(), (await listSelections())[0].done_at]).toEqual([[], done.body.done_at])
    expect((await mark(id, 'open')).body.done_at).toBeNull()
    expect(await listOpen()).toHaveLength(1)
  })

  test('is not open any more when its guest submits a later one, and only then', async () => {
    await favor(0)
    await submit()
    const another = await enterAsGuest(service, event)
    await favor(1, another)
    await submit({}, another)
    await favor(2)
    await submit()
    expect((await listOpen()).map(({ number }: { number: number }) => number)).toEqual([2, 1])
  })
})

describe('the last selection', () => {
  test('is returned to its guest with the picks that differ now, until they are the same again', async () => {
    expect(await loadOwnSelection()).toBeNull()
    await favor(0)
    await favor(1)
    expect(await loadOwnSelection()).toBeNull()
    const { body: first } = await submit()
    expect(await loadOwnSelection()).toEqual({
      number: 1,
      count: 2,
      created_at: first.created_at,
      notified_at: null,
      changed_photo_ids: [],
    })
    await favor(0)
    await favor(2)
    expect((await loadOwnSelection()).changed_photo_ids).toEqual([ids[2], ids[0]])
    await favor(0)
    await favor(2)
    expect((await loadOwnSelection()).changed_photo_ids).toEqual([])
    await favor(2)
    await submit()
    expect(await loadOwnSelection()).toMatchObject({ number: 2, count: 3, changed_photo_ids: [] })
  })

  test('is different for each guest, and none for an operator', async () => {
    await favor(0)
    await submit()
    expect(await loadOwnSelection(await enterAsGuest(service, event))).toBeNull()
    expect(await loadOwnSelection(admin)).toBeNull()
  })

  test('is compared with likes and four stars if there is no favorite', async () => {
    await like(0)
    await submit()
    await give(1, { feedback_type: 'rating', rating: 3 })
    expect((await loadOwnSelection()).changed_photo_ids).toEqual([])
    await give(1, { feedback_type: 'rating', rating: 4 })
    expect((await loadOwnSelection()).changed_photo_ids).toEqual([ids[1]])
    await favor(2)
    expect((await loadOwnSelection()).changed_photo_ids).toEqual([ids[2], ids[0]])
  })

  test('does not differ by photos that were hidden or deleted later', async () => {
    await favor(0)
    await favor(1)
    await favor(2)
    await submit()
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
    await admin.delete(`/api/admin/photos/${event.id}/photos/${ids[1]}`)
    expect(await loadOwnSelection()).toMatchObject({ count: 3, changed_photo_ids: [] })
    await favor(2)
    expect((await loadOwnSelection()).changed_photo_ids).toEqual([ids[2]])
  })

  test('may differ by more photos than one query handles', async () => {
    await favor(0)
    await submit()
    const many = Array.from({ length: 1_200 }, (_, index) => 1_000_000 + index)
    await changeDatabase(service, (stored) =>
      stored
        .prepare('update selections set photo_ids = ? where event_id = ?')
        .run(JSON.stringify([...many, ...ids]), event.id),
    )
    expect((await loadOwnSelection()).changed_photo_ids).toEqual([ids[1], ids[2]])
  })

  test('moves when its guest is merged', async () => {
    await favor(0)
    await submit()
    const laptop = await enterAsGuest(service, event)
    await favor(1, laptop)
    await admin.post(`/api/admin/events/${event.id}/guests/merge`, {
      from: parseClaims(guest).gid,
      into: parseClaims(laptop).gid,
    })
    for (const client of [guest, laptop])
      expect(await loadOwnSelection(client)).toMatchObject({ changed_photo_ids: [ids[1]] })
  })

  test('is not returned before the reveal', async () => {
    await favor(0)
    await submit()
    await api.patch(`/api/v1/events/${event.id}`, { reveal_at: new Date(Date.now() + 60_000).toISOString() })
    expectProblem(await guest.get(`/api/gallery/${event.slug}/selection`), 404, 'NOT_FOUND')
  })
})

describe('the operator', () => {
  test('is notified by selection.submitted, in the transaction of the selection', async () => {
    await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Zoë', email: 'zoe@example.com' })
    await favor(1)
    await submit({ note: 'For the album' })
    expect(listAnnounced()).toEqual([
      {
        event: expect.objectContaining({ id: event.id, slug: event.slug, share_url: expect.any(String) }),
        selection: {
          id: expect.any(Number),
          number: 1,
          guest: { id: parseClaims(guest).gid, name: 'Zoë', email: 'zoe@example.com' },
          note: 'For the album',
          count: 1,
          photo_ids: [ids[1]],
        },
      },
    ])
  })

  test('gets a mail with the names of the files, and replies go to the guest', async () => {
    await openEvent({ admin_email: 'studio@example.com', event_name: 'Ana <b>&</b> Ben' })
    await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Zoë <i>', email: 'zoe@example.com' })
    await favor(0)
    await favor(2)
    await changeDatabase(service, (stored) =>
      stored.prepare(`update photos set media_type = 'video' where id = ?`).run(ids[2]),
    )
    await submit({ note: 'Please\nin black & white' })
    const [mail, ...others] = listMails()
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      recipient: 'studio@example.com',
      reply_to: 'zoe@example.com',
      subject: 'Selection by Zoë <i>: Ana <b>&</b> Ben',
    })
    for (const text of [
      'selection 1, 1 photo and 1 video',
      'Please in black & white',
      'Files: photo-1.jpg, photo-3.jpg',
    ]) {
      expect(mail?.text_body).toContain(text)
    }
    expect(mail?.html_body).not.toContain('<i>')
  })

  test('gets it at the address of the account that created the event, if the event has none', async () => {
    const { api: other, email } = await createAccount(service, 'admin')
    event = await createEvent(other)
    ids = await uploadPhotos(other, event.id, 1)
    guest = await enterAsGuest(service, event)
    await favor(0)
    await submit()
    expect(listMails()).toMatchObject([{ recipient: email, reply_to: null }])
    expect(listMails()[0]?.text_body).toContain('A guest submitted picks')
  })

  test('gets it in the language of the instance', async () => {
    await admin.put('/api/admin/settings', { general_default_language: 'de' })
    await favor(0)
    await submit({ note: 'schwarzweiß' })
    await admin.put('/api/admin/settings', { general_default_language: 'en' })
    expect(listMails()[0]).toMatchObject({ subject: 'Auswahl eines Gastes: Ana & Ben' })
    expect(listMails()[0]?.text_body).toContain(
      'ein Gast hat in der Galerie „Ana & Ben“ eine Auswahl gesendet: Auswahl 1, 1 Foto.',
    )
  })

  test('reads the selections of owned events only, page by page', async () => {
    await favor(0)
    await submit()
    await submit()
    const path = `/api/admin/events/${event.id}/selections`
    const { body } = await admin.get(`${path}?limit=1&page=2`)
    expect(body).toMatchObject({ selections: [{ number: 1 }], pagination: { page: 2, limit: 1, total: 2, pages: 2 } })
    const { admin: stranger } = await createAccount(service, 'admin')
    expectProblem(await stranger.get(path), 403, 'FORBIDDEN')
    expectProblem(await guest.get(path), 401, 'INVALID_TOKEN')
  })
})

test('a selection is not stored if its notification fails', async () => {
  const broken = await serviceForTest({ edges: { clock: createMovableClock() } })
  const brokenEvent = await createEvent(broken.api)
  const [photoId] = await uploadPhotos(broken.api, brokenEvent.id, 1)
  const client = await enterAsGuest(broken, brokenEvent)
  await client.post(`/api/gallery/${brokenEvent.slug}/photos/${photoId}/feedback`, { feedback_type: 'favorite' })
  await changeDatabase(broken, (stored) => stored.exec('drop table mails'))
  const answer = await client.post(`/api/gallery/${brokenEvent.slug}/selection`, {})
  expectProblem(answer, 500, 'INTERNAL_ERROR')
  const kept = readDatabase(broken, (stored) => stored.prepare('select count(*) from selections').pluck().get())
  expect(kept).toBe(0)
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

function parseClaims({ token }: TestClient): { gid: string } {
  return JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString())
}
