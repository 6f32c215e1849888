import { beforeEach, expect, test } from 'vitest'
import { listedMessages, maxMarkingsPerPhoto, maxMessagesPerThread } from '../../../contract/gallery/threads.ts'
import { openLiveStream } from '../../support/clients/live-events.ts'
import { parsePageData } from '../../support/clients/page-data.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { copyRow } from '../../support/database/copy-rows.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createApiToken } from '../../support/fixtures/accounts.ts'
import type { TestEvent } from '../../support/fixtures/events.ts'
import { createMarkableGallery } from '../../support/fixtures/marks.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service

let event: TestEvent
let ids: [number, number]
let ana: TestClient
let ben: TestClient
let cleo: TestClient
beforeEach(() => openEvent())

async function openEvent(body = {}) {
  const rules = { allow_notes: true, allow_annotations: true, moderate_comments: false, ...body }
  const opened = await createMarkableGallery(service, rules)
  ;({ event, ids } = opened)
  ;[ana, ben, cleo] = opened.guests
}

const box = { kind: 'box', x: 100_000, y: 200_000, w: 300_000, h: 400_000, text: 'Please remove the sign' }
const gallery = (rest: string) => `/api/gallery/${event.slug}${rest}`
const photoPath = (photoId = ids[0]) => gallery(`/photos/${photoId}/threads`)
const start = (guest: TestClient, body: object = box, headers = {}) => guest.post(photoPath(), body, headers)
const begin = async (guest: TestClient, body: object = box) => (await start(guest, body)).body.id as number
const listOfPhoto = async (guest: TestClient) => (await guest.get(photoPath())).body.threads as Thread[]
const listAll = async (guest: TestClient) => (await guest.get(gallery('/threads'))).body.threads as Thread[]
const answer = (guest: TestClient, id: number, body: object, headers = {}) =>
  guest.post(gallery(`/threads/${id}/messages`), body, headers)
const settle = (guest: TestClient, id: number, state: string) => guest.put(gallery(`/threads/${id}/state`), { state })
const adminPath = (rest = '') => `/api/admin/events/${event.id}/threads${rest}`
const adminList = async (query = '') => (await admin.get(adminPath(query))).body.threads as Thread[]
const reply = (id: number, text: string) => admin.post(adminPath(`/${id}/messages`), { text })
const comment = async (guest: TestClient, comment_text: string) => {
  const given = { feedback_type: 'comment', comment_text }
  const { body } = await guest.post(gallery(`/photos/${ids[0]}/feedback`), given)
  const { id } = (await adminList('?kind=comment')).find(({ feedback_id }) => feedback_id === body.id) as Thread
  return { id, feedbackId: body.id as number }
}

type Thread = { id: number; kind: string; text: string | null; feedback_id: number | null; messages: Message[] }
type Message = { id: number; text: string; by: string; is_visible: boolean }
const textsOf = (thread: Thread | undefined) => thread?.messages.map(({ text }) => text)

test('a box is seen by its guest and the operators only, answered by both, settled and opened again', async () => {
  const { status, body } = await start(ana, { ...box, text: ' Please remove\nthe sign ', guest_name: 'Ana' })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...{ id: expect.any(Number), kind: 'box', photo_id: ids[0], feedback_id: null, version: 1, number: 1 },
    ...{ x: 100_000, y: 200_000, w: 300_000, h: 400_000, text: 'Please remove\nthe sign' },
    ...{ state: 'open', created_at: expect.any(String), settled_at: null, message_count: 0 },
    ...{ is_own: true, is_visible: true, guest_name: 'Ana', can_answer: true, messages: [] },
  })
  expect([await listOfPhoto(ana), await listAll(ana)]).toEqual([[body], [body]])
  expect([await listOfPhoto(ben), await listAll(ben), await listAll(admin)]).toEqual([[], [], []])
  expectProblem(await answer(ben, body.id, { text: 'Me too' }), 404, 'NOT_FOUND')
  expectProblem(await settle(ben, body.id, 'done'), 404, 'NOT_FOUND')

  expect((await reply(body.id, 'Done, please look')).body).toMatchObject({ message_count: 1, guest_name: 'Ana' })
  expect((await answer(ana, body.id, { text: 'Perfect' })).body.messages).toEqual([
    expect.objectContaining({ by: 'operator', text: 'Done, please look', is_own: false }),
    expect.objectContaining({ by: 'guest', text: 'Perfect', is_own: true, author_name: 'Ana' }),
  ])
  expect((await settle(ana, body.id, 'done')).body).toMatchObject({ state: 'done' })
  expect([(await adminList('?state=open')).length, (await adminList('?state=done')).length]).toEqual([0, 1])
  expect((await answer(ana, body.id, { text: 'One more thing' })).body).toMatchObject({ state: 'open' })
  const settled = (await admin.put(adminPath(`/${body.id}/state`), { state: 'done' })).body
  expect(settled).toMatchObject({ state: 'done', settled_by: expect.any(Number) })
  expect((await settle(ana, body.id, 'open')).body).toMatchObject({ state: 'open', settled_at: null })
})

test('a pin or box lies on the picture, has a text, and needs its switch', async () => {
  for (const [field, body] of [
    ['x', { ...box, x: -1 }],
    ['x', { ...box, x: 1_000_001 }],
    ['w', { ...box, x: 800_000 }],
    ['h', { ...box, h: 0 }],
    ['w', { kind: 'box', x: 1, y: 1, text: 'No size' }],
    ['text', { ...box, text: ' \n' }],
    ['kind', { ...box, kind: 'comment' }],
    ['y', { kind: 'pin', x: 5, text: 'No height' }],
  ] as const) {
    expectInvalidField(await start(ana, body), field)
  }
  expect((await start(ana, { ...box, kind: 'pin' })).body).toMatchObject({ kind: 'pin', w: null, h: null })
  await openEvent({ allow_annotations: false })
  expectProblem(await start(ana), 403, 'FEEDBACK_DISABLED')
})

test('pins and boxes are limited per photo and guest, answers per thread', async () => {
  const id = await begin(ana)
  await changeDatabase(service, (stored) => copyRow(stored, 'threads', id, maxMarkingsPerPhoto - 1, {}))
  expectProblem(await start(ana), 409, 'THREAD_LIMIT_REACHED')
  expect((await start(ben)).status).toBe(200)
  const messageId = (await answer(ana, id, { text: 'Hm' })).body.messages[0].id
  await changeDatabase(service, (stored) => copyRow(stored, 'thread_messages', messageId, maxMessagesPerThread - 1, {}))
  expectProblem(await answer(ana, id, { text: 'Once more' }), 409, 'THREAD_LIMIT_REACHED')
  expectProblem(await reply(id, 'Enough'), 409, 'THREAD_LIMIT_REACHED')
  const { body } = await ana.get(gallery(`/threads/${id}`))
  expect([body.message_count, body.messages.length]).toEqual([maxMessagesPerThread, maxMessagesPerThread])
  expect((await listOfPhoto(ana))[0]?.messages).toHaveLength(20)
})

test('the thread of a comment is seen by who sees the comment; answers wait for approval until an operator has answered', {
  tags: 'storage',
}, async () => {
  await openEvent({ moderate_comments: true })
  const { id, feedbackId } = await comment(ana, 'Could this be brighter?')
  expect([(await listOfPhoto(ana)).length, await listOfPhoto(ben)]).toEqual([1, []])
  await admin.put(`/api/admin/feedback/${feedbackId}/approve`, undefined)
  expect(await listOfPhoto(ben)).toMatchObject([{ text: 'Could this be brighter?', is_own: false, can_answer: true }])

  const waiting = (await answer(ben, id, { text: 'I think so too' })).body.messages[0]
  expect(waiting).toMatchObject({ is_visible: false, is_own: true })
  expect(textsOf((await listOfPhoto(ana))[0])).toEqual([])
  const decide = (verb: string) => admin.put(adminPath(`/${id}/messages/${waiting.id}/${verb}`), undefined)
  await decide('approve')
  expect(textsOf((await listOfPhoto(ana))[0])).toEqual(['I think so too'])
  await decide('hide')
  await reply(id, 'Brighter now')
  await answer(ben, id, { text: 'Thank you' })
  expect(textsOf((await listOfPhoto(ana))[0])).toEqual(['Brighter now', 'Thank you'])
  expect(textsOf((await listOfPhoto(ben))[0])).toEqual(['I think so too', 'Brighter now', 'Thank you'])

  expectProblem(await settle(ben, id, 'done'), 403, 'FORBIDDEN')
  await admin.put(`/api/admin/feedback/${feedbackId}/hide`, undefined)
  expect(await listOfPhoto(ben)).toEqual([])
  expectProblem(await answer(ben, id, { text: 'Hello?' }), 404, 'NOT_FOUND')
  // Guests can delete their answers below a comment that they no longer see.
  expect((await ben.delete(gallery(`/threads/${id}/messages/${waiting.id}`))).status).toBe(200)
})

test('what was answered stays without its text when it is deleted, everything else goes', async () => {
  const [answered, other] = [await comment(ana, 'Secret word'), await comment(ana, 'Nobody answers')]
  await reply(answered.id, 'I see')
  for (const { feedbackId } of [answered, other]) {
    await ana.delete(gallery(`/photos/${ids[0]}/feedback/${feedbackId}`))
  }
  expect(await listOfPhoto(ana)).toMatchObject([{ id: answered.id, text: null, feedback_id: null }])
  const note = (await ana.post(gallery('/notes'), { text: 'Secret word too' })).body
  await reply(note.id, 'Yes')
  await ana.delete(gallery(`/notes/${note.id}`))
  expect((await ana.get(gallery('/notes'))).body.notes).toEqual([])
  expect((await adminList('?kind=note'))[0]).toMatchObject({ id: note.id, text: null, messages: [{ text: 'Yes' }] })
  expect((await ana.get(gallery('/threads?kind=note'))).body.threads).toMatchObject([{ id: note.id, text: null }])

  const [pin, disputed] = [await begin(ana), await begin(ana)]
  await reply(disputed, 'Which one?')
  expectProblem(await ben.delete(gallery(`/threads/${pin}`)), 404, 'NOT_FOUND')
  for (const id of [pin, disputed]) expect((await ana.delete(gallery(`/threads/${id}`))).status).toBe(200)
  expect((await adminList('?kind=box')).map(({ id, text }) => [id, text])).toEqual([[disputed, null]])

  const mine = (await answer(ana, note.id, { text: 'A slip' })).body.messages[1]
  expectProblem(await ana.delete(gallery(`/threads/${note.id}/messages/${mine.id - 1}`)), 404, 'NOT_FOUND')
  expect((await ana.delete(gallery(`/threads/${note.id}/messages/${mine.id}`))).status).toBe(200)
  expect(textsOf((await ana.get(gallery(`/threads/${note.id}`))).body)).toEqual(['Yes'])
})

test('a note is settled in its thread and in the list of notes alike', async () => {
  const { id } = (await ana.post(gallery('/notes'), { text: 'Thank you', photo_id: ids[0] })).body
  await admin.put(`/api/admin/feedback/notes/${id}/done`, undefined)
  expect(await listOfPhoto(ana)).toMatchObject([{ id, kind: 'note', state: 'done' }])
  await answer(ana, id, { text: 'And one more' })
  expect((await ana.get(gallery('/notes'))).body.notes).toMatchObject([{ id, is_done: false }])
})

test('a hidden photo hides its threads from guests; one in the trash from everybody, until it is back', async () => {
  const id = await begin(ana)
  await ana.post(gallery('/notes'), { text: 'A note', photo_id: ids[0] })
  await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
  expectProblem(await ana.get(photoPath()), 404, 'NOT_FOUND')
  expect(await listAll(ana)).toEqual([])
  expectProblem(await ana.get(gallery(`/threads/${id}`)), 404, 'NOT_FOUND')
  expectProblem(await answer(ana, id, { text: 'Still here?' }), 404, 'NOT_FOUND')
  expect(await adminList()).toHaveLength(2)

  await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'visible' })
  await admin.post(`/api/admin/photos/${event.id}/trash`, { photoIds: [ids[0]] })
  expect(await adminList()).toMatchObject([{ kind: 'note', photo_id: null }])
  await admin.post(`/api/admin/photos/${event.id}/trash/bulk-restore`, { photoIds: [ids[0]] })
  expect(await listOfPhoto(ana)).toHaveLength(2)
  await api.delete(`/api/v1/events/${event.id}/photos/${ids[0]}`)
  expect(await adminList()).toMatchObject([{ kind: 'note', photo_id: null, text: 'A note' }])
})

test('the page and a list tell a guest of answers of operators in own threads, except about hidden photos', {
  tags: 'database',
}, async () => {
  const readPage = async (guest: TestClient) => parsePageData(await guest.get(`/gallery/${event.slug}`))
  const hasAnswers = async (guest: TestClient) => (await readPage(guest)).has_answers
  const listAnswered = async (guest: TestClient, query = '') =>
    (await guest.get(gallery(`/threads?answered=true${query}`))).body.threads.map(({ id }: Thread) => id)
  const [pin, { id: shown }] = [await begin(ana), await comment(ana, 'Could this be brighter?')]
  const { id: note } = (await ana.post(gallery('/notes'), { text: 'Thank you' })).body
  await answer(ben, shown, { text: 'I think so too' })
  expect([await readPage(ana), await listAnswered(ana)]).toEqual([
    expect.not.objectContaining({ has_answers: expect.anything() }),
    [],
  ])

  for (const id of [pin, shown]) await reply(id, 'Done')
  expect([await hasAnswers(ana), await listAnswered(ana)]).toEqual([true, [shown, pin]])
  expect(await listAnswered(ana, '&kind=comment')).toEqual([shown])
  expect([await hasAnswers(ben), await listAnswered(ben), await hasAnswers(admin)]).toEqual([undefined, [], undefined])

  await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
  expect([await hasAnswers(ana), await listAnswered(ana)]).toEqual([undefined, []])
  await reply(note, 'With pleasure')
  expect([await hasAnswers(ana), await listAnswered(ana)]).toEqual([true, [note]])
  await api.patch(`/api/v1/events/${event.id}`, { reveal_at: '2040-01-01T10:00:00.000Z' })
  expect(await hasAnswers(ana)).toBe(undefined)
})

test('merging moves threads and answers, erasing deletes them with the answers in threads of others', {
  tags: 'storage',
}, async () => {
  const [anaId, benId, cleoId] = await Promise.all(
    [ana, ben, cleo].map(async (guest) => (await guest.get(gallery('/session'))).body.guest.id as string),
  )
  const { id } = await comment(ben, 'Group photo, please')
  await answer(ana, id, { text: 'Zyxwort', guest_name: 'Zyxname' })
  const own = await begin(ana)
  await reply(own, 'Hello Zyxname')
  await cleo.post(gallery(`/photos/${ids[0]}/feedback`), { feedback_type: 'like' })
  await admin.post(`/api/admin/events/${event.id}/guests/merge`, { from: anaId, into: cleoId })
  expect(await listOfPhoto(cleo)).toMatchObject([{ id }, { id: own, is_own: true }])

  const erased = await admin.delete(`/api/admin/events/${event.id}/guests/${cleoId}`)
  expect(erased.body).toMatchObject({ notes: 1 })
  const left = readDatabase(service, (stored) => [
    stored.prepare('select guest_id from threads where event_id = ?').pluck().all(event.id),
    stored.prepare('select text from thread_messages where event_id = ?').pluck().all(event.id),
    stored.prepare(`select count(*) from idempotency_keys where note like '%Zyx%'`).pluck().get(),
  ])
  expect(left).toEqual([[benId], [], 0])
})

test('a repeated request with the same key is stored once, also offline for another guest never', async () => {
  const headers = { 'idempotency-key': 'offline-1' }
  const [first, again] = [await start(ana, box, headers), await start(ana, box, headers)]
  expect(again.body).toEqual(first.body)
  const key = { 'idempotency-key': 'offline-2' }
  const [one, two] = [
    await answer(ana, first.body.id, { text: 'Hi' }, key),
    await answer(ana, first.body.id, { text: 'Hi' }, key),
  ]
  expect([two.body, textsOf(two.body)]).toEqual([one.body, ['Hi']])
  const { id } = (await ben.get(gallery('/session'))).body.guest
  expectProblem(await start(ana, { ...box, guest_id: id }), 403, 'FORBIDDEN')
})

test('API tokens read private threads only with the right to, and answer and settle', async () => {
  const { id } = await comment(ana, 'Lovely')
  const own = await begin(ana)
  const shop = createClient(service.url, await createApiToken(admin, ['admin'], { readsNotes: false }))
  const path = `/api/v1/events/${event.id}/threads`
  expect((await shop.get(path)).body.threads).toMatchObject([{ id, kind: 'comment' }])
  for (const call of [
    shop.get(`${path}/${own}`),
    shop.post(`${path}/${own}/messages`, { text: 'No' }),
    shop.put(`${path}/${own}/state`, { state: 'done' }),
  ]) {
    expectProblem(await call, 404, 'NOT_FOUND')
  }
  expect((await shop.post(`${path}/${id}/messages`, { text: 'Thanks' })).body).toMatchObject({ message_count: 1 })
  const reader = createClient(service.url, await createApiToken(admin, ['read'], { readsNotes: true }))
  expect((await reader.get(`${path}?order=name`)).body.threads).toHaveLength(2)
  expectProblem(await reader.post(`${path}/${own}/messages`, { text: 'No' }), 403, 'INSUFFICIENT_SCOPE')
})

test('live streams hear of threads and answers', async () => {
  const stream = await openLiveStream(service, event.id)
  const id = await begin(ana)
  await answer(ana, id, { text: 'Hello' })
  await admin.put(adminPath(`/${id}/state`), { state: 'done' })
  const common = { photo_id: ids[0], thread_id: id, thread_kind: 'box' }
  expect(await stream.first(3)).toMatchObject(
    ['created', 'answered', 'settled'].map((did) => ({ event: 'thread', data: { ...common, did } })),
  )
})

test('the stream of a guest names what has changed, but no comment of others that waits for approval', async () => {
  await openEvent({ moderate_comments: true })
  const headers = { authorization: `Bearer ${ben.token}` }
  const stream = await fetch(service.url + gallery('/live'), { headers })
  let text = ''
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  const readUntil = async (word: string) => {
    while (!text.includes(word)) text += (await reader?.read())?.value ?? ''
  }
  await readUntil('retry')
  const { id, feedbackId } = await comment(ana, 'Nobody knows yet')
  await admin.put(`/api/admin/feedback/${feedbackId}/approve`, undefined)
  await reply(id, 'Thank you')
  await readUntil(`{"photo_id":${ids[0]},"thread_id":${id}}`)
  await reader?.cancel()
  expect(text.match(/event: thread/g)).toHaveLength(2)
})

test('an archived event takes no answers', async () => {
  const id = await begin(ana)
  await admin.post(`/api/admin/events/${event.id}/archive`, {})
  expectProblem(await reply(id, 'Late'), 409, 'EVENT_ARCHIVED')
  expect(await adminList()).toHaveLength(1)
  expectProblem(await answer(ana, id, { text: 'Late' }), 404, 'NOT_FOUND')
})

test('a table has all threads with all answers, with keys for programs or headers for people, and no formulas', async () => {
  const { id } = await comment(ben, 'Lovely')
  await start(ana, { ...box, text: '=1+1', guest_name: 'Ana' })
  for (let number = 1; number <= listedMessages + 1; number++) await answer(ana, id, { text: `No. ${number}` })
  await reply(id, '=A1')
  await admin.put(adminPath(`/${id}/state`), { state: 'done' })
  const table = async (query = '', client = admin, path = adminPath()) => {
    const { status, headers, bytes } = await client.get(`${path}?format=csv${query}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(`attachment; filename=${event.slug}-threads.csv`)
    return bytes.toString()
  }
  const [header, ...rows] = (await table('&order=name&limit=1')).split('\r\n')
  expect(header).toBe(
    '\ufeffsource_filename,kind,number,x,y,w,h,guest_name,text,state,answers,created_at,settled_at,id,photo_id',
  )
  const answers = Array.from({ length: listedMessages + 1 }, (_, index) => `Ana: No. ${index + 1}`).join('\n')
  expect(rows).toEqual([
    expect.stringMatching(`^photo-1.jpg,comment,,,,,,,Lovely,done,"${answers}\nadmin: =A1",2.*Z,2.*Z,${id},${ids[0]}$`),
    expect.stringMatching(/^photo-1.jpg,box,1,100000,200000,300000,400000,Ana,'=1\+1,open,,2.*Z,,\d+,\d+$/),
    '',
  ])
  const english = await table('&headers=en&state=open')
  expect(english).toMatch(/\r\nphoto-1.jpg,Box,1,10,20,30,40,Ana,'=1\+1,open,,[\d-]+ [\d:]+,\r\n$/)
  expect(await table('&headers=de&kind=comment')).toMatch(/^\ufeffDateiname,Art,.*\r\nphoto-1.jpg,Kommentar,/)
  const shop = createClient(service.url, await createApiToken(admin, ['read'], { readsNotes: false }))
  const seen = await table('', shop, `/api/v1/events/${event.id}/threads`)
  expect([seen.includes('Lovely'), seen.includes('box')]).toEqual([true, false])
})
