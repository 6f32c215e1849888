import { beforeEach, describe, expect, test } from 'vitest'
import { pruneLiveEvents } from '../../../server/feedback/live-event-rows.ts'
import { type LiveMessage, livePath, openLiveStream } from '../../support/clients/live-events.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createAccount, signIn, withAppContext } from '../../support/fixtures/accounts.ts'
import { assignmentPath, createCustomer, enterAsCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMarkableGallery, createMarking } from '../../support/fixtures/marks.ts'
import { jpeg } from '../../support/media/pictures.ts'
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
  test('is an event stream without caching or buffering', async () => {
    const { answer, text } = await openLiveStream(service, event.id)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/./),
    })
    expect(text()).toMatch(/^retry: \d+\n\n$/)
  })

  test('sends marks as they happen', async () => {
    const { first } = await openLiveStream(service, event.id)
    await rate(ana, 4)
    await rate(ana, 5)
    await rate(ana, 0)
    await like(ana, ids[1])
    const common = { photo_id: ids[0], original_filename: 'photo-1.jpg', feedback_type: 'rating', color_label: null }
    const messages = await first(4)
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
    ])
  })

  test('sends comments with text and name, and their moderation', async () => {
    const { first } = await openLiveStream(service, event.id)
    const body = { feedback_type: 'comment', comment_text: 'Two\nlines', guest_name: 'Ana' }
    const { id } = (await give(ana, body)).body
    expect(listData(await first(1))).toMatchObject([
      { did: 'created', feedback_id: id, comment_text: 'Two\nlines', guest_name: 'Ana', status: 'pending' },
    ])
    await admin.put(`/api/admin/feedback/${id}/approve`, {})
    await admin.put(`/api/admin/feedback/${id}/hide`, {})
    await admin.delete(`/api/admin/feedback/${id}`)
    expect(listData((await first(4)).slice(1))).toMatchObject([
      { did: 'approved', status: 'approved' },
      { did: 'hidden', status: 'hidden' },
      { did: 'deleted', comment_text: null },
    ])
  })

  test('sends new files', async () => {
    const { first } = await openLiveStream(service, event.id)
    const [id] = await uploadPhotos(api, event.id, 1)
    await api.upload(event.id, await jpeg({ seed: 9 }), { fields: { replace: id ?? 0 } })
    const [uploaded] = await first(1)
    expect(uploaded).toMatchObject({
      event: 'photo',
      data: { did: 'uploaded', photo_id: id, original_filename: 'photo-1.jpg', uploaded_by: 'api' },
    })
  })

  test('sends the name of a guest, and each name once', async () => {
    const { first } = await openLiveStream(service, event.id)
    const name = (body: object, client = ana) => client.post(`/api/gallery/${event.slug}/guest`, body)
    const { guest } = (await name({ name: 'Ana' })).body
    await name({ name: 'Ana' })
    await name({ name: 'Ana', email: 'ana@example.com' })
    await name({ name: 'Ana Maria' })
    await like(ana)
    const messages = await first(4)
    expect(messages.map(({ event }) => event)).toEqual(['guest', 'guest', 'guest', 'feedback'])
    expect(messages[0]?.data).toEqual({
      did: 'named',
      guest_id: guest.id,
      guest_name: expect.stringMatching(/^Ana/),
      at: expect.stringMatching(/Z$/),
    })
    expect(messages[2]?.data.guest_name).toBe('Ana Maria')
  })

  test('sends the merge of two guests, with the name of the remaining one', async () => {
    await like(ana)
    const ben = await enterAsGuest(service, event)
    await ben.post(`/api/gallery/${event.slug}/guest`, { name: 'Ben' })
    await like(ben)
    const { guests } = (await admin.get(`/api/admin/events/${event.id}/guests`)).body
    const into = guests.find(({ name }: { name: string | null }) => name === 'Ben').id
    const from = guests.find(({ id }: { id: string }) => id !== into).id
    const { first } = await openLiveStream(service, event.id)
    await admin.post(`/api/admin/events/${event.id}/guests/merge`, { from, into })
    const [merged] = await first(1)
    expect(merged).toMatchObject({ event: 'guest', data: { did: 'merged', guest_id: into, guest_name: 'Ben' } })
  })

  test('sends the entry of a customer, who has a name from the start', async () => {
    const customer = await createCustomer(admin, { name: 'Cleo' })
    await admin.put(assignmentPath(customer, event), {})
    const { first } = await openLiveStream(service, event.id)
    const asked = await signInAsCustomer(service, customer)
    await enterAsCustomer(service, asked, event.slug)
    await like(await enterAsCustomer(service, asked, event.slug))
    expect(await first(2)).toMatchObject([
      { event: 'guest', data: { did: 'named', guest_name: 'Cleo' } },
      { event: 'feedback', data: { guest_name: 'Cleo' } },
    ])
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

  test('sends nothing about other events or failed operations', async () => {
    const other = await createMarkableGallery(service)
    const { messages, first } = await openLiveStream(service, event.id)
    await other.guests[0].post(`/api/gallery/${other.event.slug}/photos/${other.ids[0]}/feedback`, {
      feedback_type: 'like',
    })
    await rate(ana, 0)
    await like(anonymous)
    await like(ana)
    await first(1)
    expect(messages).toHaveLength(1)
  })
})

describe('a client that reconnects with Last-Event-ID', () => {
  const watchSince = (id: unknown) => openLiveStream(service, event.id, { headers: { 'last-event-id': String(id) } })

  test('receives each missed event, once and in order', async () => {
    const before = await openLiveStream(service, event.id)
    await rate(ana, 1)
    const [seen] = await before.first(1)
    before.close()
    const stars = [2, 3, 4, 5, 1, 2, 3]
    for (const one of stars) await rate(ana, one)
    const again = await watchSince(seen?.id)
    await rate(ana, 5)
    const messages = await again.first(stars.length + 1)
    expect(listData(messages).map(({ rating }) => rating)).toEqual([...stars, 5])
  })

  test('misses nothing and sees nothing twice, wherever it was cut off while many guests mark', async () => {
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
    const stored = await changeDatabase(service, (stored) =>
      stored
        .prepare('select id from live_events where event_id = ? and photo_id = ? and id >= ? order by id')
        .pluck()
        .all(event.id, ids[0], all[0]?.id),
    )
    expect(listIds(all)).toEqual(stored)
  })

  test('receives a reset if the missed events are deleted', async () => {
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
    clock.advance(25 * 3_600_000)
    await withAppContext(own, (ctx) => pruneLiveEvents({ ...ctx, clock }))
    const lastSession = (await signIn(own, 'admin', adminPassword)).body.token
    const headers = { 'last-event-id': String(seen?.id) }
    const late = await openLiveStream(own, opened.event.id, { token: lastSession, headers })
    expect(await late.first(1)).toEqual([{ id: null, event: 'reset', data: {} }])
    expect(late.messages).toHaveLength(1)
  })

  test('receives a reset if its id is from a newer database', async () => {
    const { first } = await watchSince(9_000_000)
    await first(1)
    await rate(ana, 5)
    expect(await first(2)).toMatchObject([{ event: 'reset' }, { data: { rating: 5 } }])
  })

  test.each(['x', '-1', '1.5', ''])('with the invalid id %j is rejected', async (id) => {
    expectInvalidField(await admin.get(livePath(event.id), { 'last-event-id': id }), 'last-event-id')
  })
})

describe('a live stream is rejected', () => {
  test('without a session of an owner', async () => {
    const stranger = await createAccount(service, 'admin')
    expectProblem(await anonymous.get(livePath(event.id)), 401, 'NO_TOKEN')
    expectProblem(await api.get(livePath(event.id)), 401, 'INVALID_TOKEN')
    expectProblem(await ana.get(livePath(event.id)), 401, 'INVALID_TOKEN')
    expectProblem(await stranger.admin.get(livePath(event.id)), 403, 'FORBIDDEN')
    expectProblem(await admin.get(livePath(999_999)), 404, 'NOT_FOUND')
  })

  test('above ten of one account', async () => {
    const owner = await createAccount(service, 'admin')
    const own = await createEvent(owner.api)
    const streams = await Promise.all(
      Array.from({ length: 10 }, () => openLiveStream(service, own.id, { token: owner.admin.token })),
    )
    const answer = await owner.admin.get(livePath(own.id))
    expectProblem(answer, 429, 'RATE_LIMITED')
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    streams[0]?.close()
    await expect
      .poll(async () => (await openLiveStream(service, own.id, { token: owner.admin.token })).answer.statusCode)
      .toBe(200)
  })
})

describe('a live stream ends', () => {
  test('when its account signs out, but not for others', async () => {
    const token = (await signIn(service, 'admin', adminPassword)).body.token
    const other = await openLiveStream(service, event.id)
    const { ended } = await openLiveStream(service, event.id, { token })
    await createClient(service.url, token).post('/api/admin/auth/logout', {})
    await ended
    await like(ana)
    await other.first(1)
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

  test('when its event is deleted', async () => {
    const { ended } = await openLiveStream(service, event.id)
    await api.delete(`/api/v1/events/${event.id}`)
    await ended
  })

  test('at once when the service stops, without delaying it', async () => {
    // The grace period is longer than the timeout of this test.
    const own = await serviceForTest({ environment: { SHUTDOWN_GRACE_S: '600' } })
    const { id } = await createEvent(own.api)
    const { ended } = await openLiveStream(own, id)
    await Promise.all([ended, own.stop()])
  })
})

test('events older than a day are deleted, except the newest of all', async () => {
  const rows = () =>
    changeDatabase(service, (stored) => stored.prepare('select count(*) from live_events').pluck().get())
  await rate(ana, 1)
  await rate(ana, 2)
  const clock = { now: () => Date.now() + 23 * 3_600_000 }
  const before = await rows()
  await withAppContext(service, (ctx) => pruneLiveEvents({ ...ctx, clock }))
  expect(await rows()).toBe(before)
  await withAppContext(service, (ctx) => pruneLiveEvents({ ...ctx, clock: { now: () => clock.now() + 2 * 3_600_000 } }))
  expect(await rows()).toBe(1)
})
