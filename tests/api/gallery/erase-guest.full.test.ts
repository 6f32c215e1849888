import { beforeEach, describe, expect, test } from 'vitest'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { assignmentPath, createCustomer, enterAsCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { countMarkRows } from '../../support/fixtures/marks.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { admin, api, url } = service
const upload_category_id: number = (await admin.get('/api/admin/categories/global')).body[0].id
await createTestWebhook(service)
await createTestWebhook(service, { events: ['selection.submitted'], template: 'By ${data.selection.guest.name}' })

let event: TestEvent
let ids: number[]
beforeEach(async () => {
  event = await createEvent(api, {
    admin_email: 'studio@example.com',
    allow_user_uploads: true,
    allow_notes: true,
    upload_category_id,
  })
  ids = await uploadPhotos(api, event.id, 2)
})

type Guest = { client: TestClient; id: string; cookies: ReturnType<typeof createCookieClient> }

async function enter(cookies = createCookieClient(url)): Promise<Guest> {
  const { body } = await cookies.post('/api/auth/gallery/share-login', { slug: event.slug, token: event.share_token })
  const client = createClient(url, body.token)
  return { client, id: (await client.get(`/api/gallery/${event.slug}/guest`)).body.guest.id, cookies }
}

const path = (end: string) => `/api/gallery/${event.slug}/${end}`
async function send(response: ReturnType<TestClient['post']>) {
  const { status, body } = await response
  expect([status, body]).toEqual([200, body])
  return body
}
const give = ({ client }: Guest, body: object, photo = 0) =>
  send(client.post(path(`photos/${ids[photo]}/feedback`), body, { 'idempotency-key': JSON.stringify([body, photo]) }))
const erase = ({ id }: { id: string }, eventId = event.id) => admin.delete(`/api/admin/events/${eventId}/guests/${id}`)
const listGuestIds = async () =>
  (await admin.get(`/api/admin/events/${event.id}/guests`)).body.guests.map(({ id }: { id: string }) => id).sort()

async function uploadAsGuest({ client }: Guest, word: string) {
  const form = new FormData()
  form.append('photos', new Blob([await jpeg({ seed: word.length })], { type: 'image/jpeg' }), 'party.jpg')
  return client.call('POST', path('upload'), { body: form })
}

/** Uses every route by which a guest leaves data. All texts contain `word`. */
async function leaveData(guest: Guest, word: string) {
  const { client } = guest
  await send(client.post(path('guest'), { name: `Name ${word}`, email: `${word}@example.com` }))
  await give(guest, { feedback_type: 'rating', rating: 5 })
  await give(guest, { feedback_type: 'color_label', color_label: 'red' })
  await give(guest, { feedback_type: 'like' })
  await give(guest, { feedback_type: 'favorite' })
  await give(guest, { feedback_type: 'comment', comment_text: `Comment ${word}` })
  await send(client.post(path('selection'), { note: `Note ${word}` }, { 'idempotency-key': word }))
  const note = await client.post(path('notes'), { text: `Private ${word}` }, { 'idempotency-key': `note ${word}` })
  expect(note.status).toBe(200)
  expect((await uploadAsGuest(guest, word)).status).toBe(201)
  await send(client.post(path('guest/link'), {}))
  await send(client.post(path('chunked-upload/init'), { filename: `${word}.jpg`, fileSize: 1000 }))
  const query = `format=list&picked_by=${guest.id}`
  expect((await admin.get(`/api/admin/feedback/events/${event.id}/export?${query}`)).status).toBe(200)
}

/** Returns each column of each table that contains one of the texts. */
const findColumns = (texts: string[]): string[] =>
  readDatabase(service, (stored) => {
    const tables = stored.tables()
    const contents = stored.contents(tables)
    const found = tables.flatMap((table, index) =>
      ((contents[index] ?? []) as Array<Record<string, unknown>>).flatMap((row) =>
        Object.entries(row).flatMap(([column, value]) =>
          texts.some((text) => String(value).toLowerCase().includes(text.toLowerCase())) ? [`${table}.${column}`] : [],
        ),
      ),
    )
    return [...new Set(found)].sort()
  })

/** Columns that may contain the id of an erased guest. The id is random, and nothing else of the guest is left. */
const remaining: Record<string, string> = {
  'guests.id': 'rejects the sessions and cookies of the guest',
  'webhook_deliveries.envelope': 'receivers find the guest whose data they must erase',
  'feedback_changes.guest_id': 'sends the counts of 0 to receivers in 30 seconds, and is deleted then',
  'rate_counts.key': 'limits the requests of the guest, and is deleted after an hour',
}

describe('erasing a guest', () => {
  test('leaves nothing of the guest in any column of any table', async () => {
    const [phone, laptop, other] = [await enter(), await enter(), await enter()]
    await leaveData(phone, 'zyxphone')
    await leaveData(laptop, 'zyxlaptop')
    await leaveData(other, 'zyxother')
    await send(admin.post(`/api/admin/events/${event.id}/guests/merge`, { from: laptop.id, into: phone.id }))
    // One of the deliveries to each webhook is completed, and its receiver has sent the name back.
    await changeDatabase(service, (stored) =>
      stored
        .prepare(`update webhook_deliveries set status = 'success', next_attempt_at = null, response_body = ?
          where envelope like '%zyxlaptop%'`)
        .run('Thanks, zyxlaptop'),
    )
    const words = ['zyxphone', 'zyxlaptop']
    const [before, idsBefore] = [findColumns(words), findColumns([phone.id, laptop.id])]
    expect(before).toEqual([
      ...['chunked_uploads.filename', 'feedback.comment_text', 'guests.email', 'guests.name'],
      ...['idempotency_keys.note', 'mails.html_body'],
      ...['mails.reply_to', 'mails.subject', 'mails.text_body', 'selections.note', 'threads.text'],
      ...['webhook_deliveries.envelope'],
      ...['webhook_deliveries.response_body', 'webhook_deliveries.templated_body'],
    ])
    expect(idsBefore).toEqual(
      expect.arrayContaining([
        ...['chunked_uploads.guest_id', 'feedback.guest_id', 'feedback_changes.guest_id', 'guest_links.guest_id'],
        ...['guests.id', 'guests.merged_into', 'live_events.guest_id', 'mark_exports.choice'],
        ...['photos.guest_id', 'selections.guest_id', 'threads.guest_id'],
      ]),
    )

    const { status, body } = await erase(phone)
    expect([status, body]).toEqual([
      200,
      {
        ...{ ratings: 1, color_labels: 1, likes: 1, favorites: 1, comments: 2, notes: 2, selections: 2, photos: 2 },
        ...{ uploads: 2, links: 2 },
        ...{ mails: 2, exports: 2, webhook_deliveries: expect.any(Number) },
      },
    ])
    expect(body.webhook_deliveries).toBeGreaterThanOrEqual(4)
    const picks = await admin.get(`/api/admin/feedback/events/${event.id}/picks`)
    expect(picks.body.erased_selection_count).toBe(2)
    expect(findColumns(words)).toEqual([])
    expect(findColumns([phone.id, laptop.id]).filter((column) => !remaining[column])).toEqual([])
    expect(findColumns(['zyxother'])).toEqual(before.filter((column) => !column.endsWith('response_body')))
  })

  test('keeps the selection without its guest, a pending delivery without name and note, and one record', async () => {
    const guest = await enter()
    await leaveData(guest, 'zyxkept')
    await erase(guest)
    const { selections } = (await admin.get(`/api/admin/events/${event.id}/selections`)).body
    expect(selections).toMatchObject([{ number: 1, guest: null, note: null, count: 1, photo_ids: [ids[0]] }])
    const sent = listAnnouncedOf(service, event.id).filter(({ type }) => type === 'selection.submitted')
    expect(sent[0]?.data.selection).toMatchObject({ guest: { id: guest.id, name: null, email: null }, note: null })
    const bodies = readDatabase(service, (stored) =>
      stored
        .prepare('select templated_body from webhook_deliveries where templated_body is not null order by id desc')
        .pluck()
        .get(),
    )
    expect(bodies).toBe('By ')
    const { activity } = (await admin.get(`/api/admin/activity?event_id=${event.id}&action=eraseGuest`)).body
    expect(activity).toMatchObject([{ action: 'eraseGuest', subject: null, subject_ids: [] }])
  })

  test('keeps the marks of others; the counters equal a recount', async () => {
    const [guest, other] = [await enter(), await enter()]
    await leaveData(guest, 'zyxone')
    await give(guest, { feedback_type: 'rating', rating: 1 }, 1)
    await give(other, { feedback_type: 'rating', rating: 4 })
    await give(other, { feedback_type: 'color_label', color_label: 'green' })
    await erase(guest)
    expect(await listGuestIds()).toEqual([other.id])
    const counters = readDatabase(service, (stored) =>
      stored
        .prepare(`select rating_sum, rating_count, average_hundredths, like_count, favorite_count, comment_count,
          feedback_count, red, green from photo_marks where event_id = ? order by photo_id`)
        .all(event.id),
    )
    const none = { like_count: 0, favorite_count: 0, comment_count: 0, red: 0 }
    expect(counters).toEqual([
      { rating_sum: 4, rating_count: 1, average_hundredths: 400, feedback_count: 1, green: 1, ...none },
      { rating_sum: 0, rating_count: 0, average_hundredths: 0, feedback_count: 0, green: 0, ...none },
    ])
    expect(countMarkRows(service, 'event_id', event.id)[0]).toBe(2)
  })

  test('ends sessions and links for good; the same browser returns as a new guest', async () => {
    const guest = await enter()
    await leaveData(guest, 'zyxgone')
    const { url: link } = await send(guest.client.post(path('guest/link'), {}))
    const thumbnail = path(`thumbnail/${ids[0]}`)
    // Twice, so that everything for the fast path is in memory.
    for (let time = 0; time < 2; time++) expect((await guest.client.get(thumbnail)).status).toBe(200)
    await erase(guest)
    for (let time = 0; time < 2; time++) expectProblem(await guest.client.get(thumbnail), 401, 'TOKEN_REVOKED')
    expectProblem(
      await guest.client.post(path(`photos/${ids[0]}/feedback`), { feedback_type: 'like' }),
      401,
      'TOKEN_REVOKED',
    )
    expectProblem(await guest.client.post(path('guest'), { name: 'Again' }), 401, 'TOKEN_REVOKED')
    const otherDevice = createCookieClient(url)
    await otherDevice.post(new URL(link).pathname, {})
    expect(otherDevice.jar.get(`gallery_${event.id}`)).toBeUndefined()
    const returned = await enter(guest.cookies)
    expect(returned.id).not.toBe(guest.id)
    await give(returned, { feedback_type: 'like' })
    expect(await listGuestIds()).toEqual([returned.id])
  })

  test('gives a customer a new guest, and keeps the account of the customer', async () => {
    const customer = await createCustomer(admin)
    await admin.put(assignmentPath(customer, event), {})
    const signedIn = await signInAsCustomer(service, customer)
    const inside = await enterAsCustomer(service, signedIn, event.slug)
    const { guest } = (await inside.get(path('guest'))).body
    expect((await erase(guest)).status).toBe(200)
    expectProblem(await inside.get(path('photos')), 401, 'TOKEN_REVOKED')
    const again = await enterAsCustomer(service, signedIn, event.slug)
    expect((await again.get(path('guest'))).body.guest.id).not.toBe(guest.id)
  })

  test('happens once, also in an archived event', async () => {
    const [guest, merged] = [await enter(), await enter()]
    await give(guest, { feedback_type: 'like' })
    await give(merged, { feedback_type: 'like' }, 1)
    await send(admin.post(`/api/admin/events/${event.id}/guests/merge`, { from: merged.id, into: guest.id }))
    const otherEvent = await createEvent(api)
    expectProblem(await erase(guest, otherEvent.id), 404, 'NOT_FOUND')
    expectProblem(await erase(merged), 404, 'NOT_FOUND')
    expectProblem(await erase(await enter()), 404, 'NOT_FOUND')
    const from = await enter()
    await give(from, { feedback_type: 'like' })
    await admin.post(`/api/admin/events/${event.id}/archive`, {})
    expect((await erase(guest)).body).toMatchObject({ likes: 2, ratings: 0 })
    await admin.post(`/api/admin/events/${event.id}/restore`, {})
    expectProblem(await erase(guest), 404, 'NOT_FOUND')
    const again = { from: from.id, into: guest.id }
    expectProblem(await admin.post(`/api/admin/events/${event.id}/guests/merge`, again), 404, 'NOT_FOUND')
  })
})
