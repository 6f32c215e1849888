import { beforeEach, describe, expect, test } from 'vitest'
import { pruneLiveEvents } from '../../../server/events/live/live-event-rows.ts'
import { type LiveMessage, livePath, openLiveStream } from '../../support/clients/live-events.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount, signIn, withAppContext } from '../../support/fixtures/accounts.ts'
import { assignmentPath, createCustomer, enterAsCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMarkableGallery, createMarking } from '../../support/fixtures/marks.ts'
import { adminPassword, createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service

let event: TestEvent
let ids: [number, number]
let ana: TestClient
let guests: TestClient[]
const { give, rate, like } = createMarking(service, () => ({ event, ids }))
beforeEach(async () => {
  const opened = await createMarkableGallery(service)
  ;({ event, ids, guests } = opened)
  ;[ana] = opened.guests
})

const listIds = (messages: LiveMessage[]) => messages.map(({ id }) => id)
const listData = (messages: LiveMessage[]) => messages.map(({ data }) => data)

describe('a live stream', () => {
  test('sends marks and new files as they happen, without caching or buffering', { tags: 'database' }, async () => {
    const { answer, text, first } = await openLiveStream(service, event.id)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/./),
    })
    expect(text()).toMatch(/^retry: \d+\n\n$/)
    for (const stars of [4, 5, 0]) await rate(ana, stars)
    await like(ana, ids[1])
    const [id] = await uploadPhotos(api, event.id, 1)
    const common = { photo_id: ids[0], original_filename: 'photo-1.jpg', feedback_type: 'rating', color_label: null }
    const messages = await first(5)
    expect(messages[0]).toEqual({
      id: expect.any(Number),
      event: 'feedback',
      data: {
        ...common,
        did: 'created',
        rating: 4,
        comment_text: null,
        status: 'approved',
        feedback_id: expect.any(Number),
        guest_id: expect.stringMatching(/./),
        guest_name: null,
        at: expect.stringMatching(/Z$/),
      },
    })
    expect(listData(messages.slice(1))).toMatchObject([
      { ...common, did: 'updated', rating: 5 },
      { ...common, did: 'removed', rating: null },
      { did: 'created', photo_id: ids[1], feedback_type: 'like' },
      { did: 'uploaded', photo_id: id, original_filename: 'photo-1.jpg', uploaded_by: 'api' },
    ])
    expect(messages[4]?.event).toBe('photo')
  })

  test('sends comments with text and name, and their moderation, but nothing of other events', async () => {
    const { first } = await openLiveStream(service, event.id)
    // Failed operations and other events are not sent.
    const other = await createMarkableGallery(service)
    const otherPath = `/api/gallery/${other.event.slug}/photos/${other.ids[0]}/feedback`
    await other.guests[0].post(otherPath, { feedback_type: 'like' })
    await rate(ana, 0)
    await like(anonymous)
    const body = { feedback_type: 'comment', comment_text: 'Two\nlines', guest_name: 'Ana' }
    const { id } = (await give(ana, body)).body
    // The text is read when the message is sent, so a comment that is deleted before has none.
    await first(1)
    await admin.put(`/api/admin/feedback/${id}/approve`, {})
    await admin.put(`/api/admin/feedback/${id}/hide`, {})
    await admin.delete(`/api/admin/feedback/${id}`)
    expect(listData(await first(4))).toMatchObject([
      { did: 'created', feedback_id: id, comment_text: 'Two\nlines', guest_name: 'Ana', status: 'pending' },
      { did: 'approved', status: 'approved' },
      { did: 'hidden', status: 'hidden' },
      { did: 'deleted', comment_text: null },
    ])
  })

  test('sends the names of guests once, their merge, and customers, who have a name from the start', async () => {
    const { first } = await openLiveStream(service, event.id)
    const ben = guests[1] as TestClient
    const name = async (body: object, client = ana) =>
      (await client.post(`/api/gallery/${event.slug}/guest`, body)).body.guest.id
    const from = await name({ name: 'Ana' })
    await name({ name: 'Ana' })
    await name({ name: 'Ana', email: 'ana@example.com' })
    const into = await name({ name: 'Ben' }, ben)
    await first(3)
    await admin.post(`/api/admin/events/${event.id}/guests/merge`, { from, into })
    const customer = await createCustomer(admin, { name: 'Cleo' })
    await admin.put(assignmentPath(customer, event), {})
    const asked = await signInAsCustomer(service, customer)
    await enterAsCustomer(service, asked, event.slug)
    await like(await enterAsCustomer(service, asked, event.slug))
    const messages = await first(6)
    const named = { event: 'guest', data: { did: 'named', guest_id: from, guest_name: 'Ana' } }
    expect(messages).toMatchObject([
      named,
      named,
      { event: 'guest', data: { did: 'named', guest_id: into, guest_name: 'Ben' } },
      { event: 'guest', data: { did: 'merged', guest_id: into, guest_name: 'Ben' } },
      { event: 'guest', data: { did: 'named', guest_name: 'Cleo' } },
      { event: 'feedback', data: { guest_name: 'Cleo' } },
    ])
    expect(Object.keys(messages[0]?.data).sort()).toEqual(['at', 'did', 'guest_id', 'guest_name'])
  })

  test('sends submitted selections with the name given in them', async () => {
    const { first } = await openLiveStream(service, event.id)
    const submit = (body: object) => ana.post(`/api/gallery/${event.slug}/selection`, body)
    await submit({})
    await give(ana, { feedback_type: 'favorite' })
    await submit({ guest_name: 'Ana', note: 'For the album' })
    const [mark, selection] = await first(2)
    expect(selection).toEqual({
      id: expect.any(Number),
      event: 'selection',
      data: {
        did: 'submitted',
        selection_id: expect.any(Number),
        number: 1,
        count: 1,
        guest_id: mark?.data.guest_id,
        guest_name: 'Ana',
        at: expect.stringMatching(/Z$/),
      },
    })
  })

  test('is rejected above ten of one account: 429', async () => {
    const owner = await createAccount(service, 'admin')
    const own = await createEvent(owner.api)
    const open = () => openLiveStream(service, own.id, { token: owner.admin.token })
    const streams = await Promise.all(Array.from({ length: 10 }, open))
    const answer = await owner.admin.get(livePath(own.id))
    expectProblem(answer, 429, 'RATE_LIMITED')
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    streams[0]?.close()
    await expect.poll(async () => (await open()).answer.statusCode).toBe(200)
  })
})

describe('a client that reconnects with Last-Event-ID', () => {
  const watchSince = (id: unknown) => openLiveStream(service, event.id, { headers: { 'last-event-id': String(id) } })

  test('misses nothing and sees nothing twice, wherever it was cut off while many guests mark', {
    tags: 'database',
  }, async () => {
    const rounds = 12
    const marking = Promise.all(
      guests.map(async (guest, index) => {
        for (let round = 0; round < rounds; round++) await rate(guest, 1 + ((round + index) % 5))
      }),
    )
    const reported: LiveMessage[] = []
    let lastId = 0
    await rate(ana, 5, ids[1])
    for (const count of [3, 1, 7, 2, 12]) {
      const { first, close, answer } = lastId === 0 ? await openLiveStream(service, event.id) : await watchSince(lastId)
      const messages = await first(count)
      reported.push(...messages)
      lastId = messages.at(-1)?.id ?? lastId
      close()
      answer.destroy()
    }
    await marking
    await rate(ana, 1, ids[1])
    const { first } = await watchSince(lastId)
    let rest = await first(1)
    while (rest.at(-1)?.data.photo_id !== ids[1]) rest = await first(rest.length + 1)
    const all = [...reported, ...rest].filter(({ data }) => data.photo_id === ids[0])
    expect(new Set(listIds(all)).size).toBe(all.length)
    expect(listIds(all)).toEqual(listIds(all).toSorted((a, b) => Number(a) - Number(b)))
    const stored = readDatabase(service, (stored) =>
      stored
        .prepare('select id from live_events where event_id = ? and photo_id = ? and id >= ? order by id')
        .pluck()
        .all(event.id, ids[0], all[0]?.id),
    )
    expect(listIds(all)).toEqual(stored)
  })

  test('receives a reset if the missed events are deleted after a day; the newest of all stays', async () => {
    const clock = createMovableClock()
    const own = await serviceForTest({ edges: { clock } })
    const opened = await createMarkableGallery(own)
    const marking = createMarking(own, () => opened)
    const { first, close } = await openLiveStream(own, opened.event.id)
    await marking.rate(opened.guests[0], 1)
    const [seen] = await first(1)
    close()
    await marking.rate(opened.guests[0], 2)
    await marking.rate(opened.guests[0], 3)
    const pruneAndCount = async () => {
      await withAppContext(own, (ctx) => pruneLiveEvents({ ...ctx, clock }))
      return readDatabase(own, (stored) => stored.prepare('select count(*) from live_events').pluck().get())
    }
    clock.advance(23 * 3_600_000)
    // Two files and three ratings.
    expect(await pruneAndCount()).toBe(5)
    clock.advance(2 * 3_600_000)
    expect(await pruneAndCount()).toBe(1)
    const lastSession = (await signIn(own, 'admin', adminPassword)).body.token
    const headers = { 'last-event-id': String(seen?.id) }
    const late = await openLiveStream(own, opened.event.id, { token: lastSession, headers })
    expect(await late.first(1)).toEqual([{ id: null, event: 'reset', data: {} }])
    expect(late.messages).toHaveLength(1)
  })

  test('receives a reset if its id is from a newer database; an invalid id is rejected', async () => {
    const { first } = await watchSince(9_000_000)
    await first(1)
    await rate(ana, 5)
    expect(await first(2)).toMatchObject([{ event: 'reset' }, { data: { rating: 5 } }])
    for (const id of ['x', '-1', '1.5', '']) {
      expectInvalidField(await admin.get(livePath(event.id), { 'last-event-id': id }), 'last-event-id')
    }
  })
})

describe('a live stream ends', () => {
  test('when its account signs out, but not for others; for all when its event is deleted', async () => {
    const token = (await signIn(service, 'admin', adminPassword)).body.token
    const other = await openLiveStream(service, event.id)
    const { ended } = await openLiveStream(service, event.id, { token })
    await createClient(service.url, token).post('/api/admin/auth/logout', {})
    await ended
    await like(ana)
    await other.first(1)
    await api.delete(`/api/v1/events/${event.id}`)
    await other.ended
  })

  test('when its account changes the password, or another process sets it', async () => {
    const owner = await createAccount(service, 'admin')
    const own = await createEvent(owner.api)
    const { ended } = await openLiveStream(service, own.id, { token: owner.admin.token })
    await owner.admin.post('/api/admin/auth/change-password', {
      currentPassword: owner.password,
      newPassword: 'quite another password',
    })
    await ended

    const token = (await signIn(service, owner.username, 'quite another password')).body.token
    const second = await openLiveStream(service, own.id, { token })
    await changeDatabase(service, (stored) =>
      stored.prepare('update users set session_version = session_version + 1 where id = ?').run(owner.id),
    )
    await second.ended
  })

  test('when its account loses the event, before the next message', async () => {
    const owner = await createAccount(service, 'admin')
    const opened = await createMarkableGallery({ ...service, api: owner.api })
    const marking = createMarking(service, () => opened)
    const { first, ended, messages } = await openLiveStream(service, opened.event.id, { token: owner.admin.token })
    await marking.like(opened.guests[0])
    await first(1)
    await changeDatabase(service, (stored) =>
      stored.prepare('update events set created_by = 1 where id = ?').run(opened.event.id),
    )
    await marking.like(opened.guests[1])
    await ended
    expect(messages).toHaveLength(1)
  })

  test('at once when the service stops, without delaying it', async () => {
    // The grace period is longer than the timeout of this test.
    const own = await serviceForTest({ environment: { SHUTDOWN_GRACE_S: '600' } })
    const { id } = await createEvent(own.api)
    const { ended } = await openLiveStream(own, id)
    await Promise.all([ended, own.stop()])
  })
})
