import { beforeEach, describe, expect, test } from 'vitest'
import type { ActList, ActRecord } from '../../../contract/instance/acts.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'

const hour = 3_600_000
const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { admin, api } = service

let event: TestEvent
let ids: number[]
let ana: TestClient

beforeEach(async () => {
  // A new hour, so that a test knows what is in the same hour.
  clock.advance(hour - (clock.now() % hour))
  const categories = (await admin.get('/api/admin/categories/global')).body
  const upload_category_id = categories.find(({ name }: { name: string }) => name === 'Guest uploads').id
  event = await createEvent(api, { allow_notes: true, allow_user_uploads: true, upload_category_id })
  ids = await uploadPhotos(api, event.id, 3)
  ana = await enterAsGuest(service, event)
})

const give = (photo: number, body: object, client = ana) =>
  client.post(`/api/gallery/${event.slug}/photos/${ids[photo]}/feedback`, body)
const favor = (photo: number, client = ana) => give(photo, { feedback_type: 'favorite' }, client)
const nameGuest = (name: string, client = ana) => client.post(`/api/gallery/${event.slug}/guest`, { name })

async function listActs(query = '', client = admin): Promise<ActList> {
  const { status, body } = await client.get(`/api/admin/activity/acts?event_id=${event.id}${query}`)
  expect(status).toBe(200)
  return body
}
/** Visits are counted some seconds later. */
const summarize = (acts: ActRecord[]) =>
  acts.filter(({ act }) => act !== 'visit').map(({ act, count, guest }) => [guest?.name ?? null, act, count])
const listRows = async ({ id }: { id: string }, by = 'guests', query = '') =>
  (await admin.get(`/api/admin/activity/acts/${id}?by=${by}${query}`)).body

describe('acts of guests', () => {
  test('are one entry for each guest, kind and hour, newest first', { tags: 'database' }, async () => {
    await nameGuest('Ana')
    for (const photo of [0, 1, 2]) await favor(photo)
    const ben = await enterAsGuest(service, event)
    clock.advance(60_000)
    await favor(0, ben)
    clock.advance(60_000)
    await give(1, { feedback_type: 'comment', comment_text: 'Lovely' })
    await ana.post(`/api/gallery/${event.slug}/notes`, { text: 'Please retouch', photo_id: ids[0] })
    await ana.post(`/api/gallery/${event.slug}/selection`, {})
    const expected = [
      [null, 'favorite', 1],
      ['Ana', 'comment', 1],
      ['Ana', 'favorite', 3],
      ['Ana', 'note', 1],
      ['Ana', 'selection', 1],
    ]
    expect(summarize((await listActs()).acts).sort()).toEqual(expected.sort())
    clock.advance(hour)
    await favor(2, ben)
    const { acts } = await listActs('&action=favorite')
    expect(summarize(acts)).toEqual([
      [null, 'favorite', 1],
      [null, 'favorite', 1],
      ['Ana', 'favorite', 3],
    ])
    const common = { user: null, is_locked: false, first_at: expect.stringMatching(/Z$/) }
    expect(acts[2]).toMatchObject({ ...common, event: { id: event.id, event_name: 'Ana & Ben' } })
  })

  test('are listed one by one for an entry', async () => {
    await favor(0)
    await favor(2)
    await give(1, { feedback_type: 'rating', rating: 4 })
    await give(1, { feedback_type: 'comment', comment_text: 'Lovely' })
    const { acts } = await listActs()
    const rowsOf = async (kind: string) => (await listRows(acts.find(({ act }) => act === kind) as ActRecord)).rows
    expect((await rowsOf('favorite')).map(({ photo }: { photo: { id: number } }) => photo.id).sort()).toEqual(
      [ids[0], ids[2]].sort(),
    )
    expect(await rowsOf('rating')).toMatchObject([{ count: 1, detail: '4', photo: { id: ids[1] }, via: null }])
    expect(await rowsOf('comment')).toMatchObject([{ detail: 'Lovely', photo: { id: ids[1] } }])
    const [favorites] = (await listActs('&action=favorite')).acts
    const { rows, pagination } = await listRows(favorites as ActRecord, 'guests', '&limit=1&page=2')
    expect([rows.length, pagination]).toEqual([1, { page: 2, limit: 1, total: 2, pages: 2 }])
  })

  test('include uploads, also of a guest who was merged into another, and visits', async () => {
    await nameGuest('Ana')
    const ben = await enterAsGuest(service, event)
    await nameGuest('Ben', ben)
    const file = { bytes: await jpeg({ seed: 3 }), name: 'mine.jpg' }
    expect((await sendFiles(ben, `/api/gallery/${event.slug}/upload`, [file])).status).toBe(201)
    const guests = (await admin.get(`/api/admin/events/${event.id}/guests`)).body.guests
    const idOf = (name: string) => guests.find((guest: { name: string }) => guest.name === name).id
    await admin.post(`/api/admin/events/${event.id}/guests/merge`, { from: idOf('Ben'), into: idOf('Ana') })
    await expect
      .poll(async () => (await listActs()).acts)
      .toMatchObject(expect.arrayContaining([expect.objectContaining({ act: 'visit', count: 2, guest: null })]))
    const { acts } = await listActs()
    expect(summarize(acts)).toEqual([['Ana', 'upload', 1]])
    const rowsOf = async (kind: string) => (await listRows(acts.find(({ act }) => act === kind) as ActRecord)).rows
    expect(await rowsOf('upload')).toMatchObject([{ photo: { original_filename: 'mine.jpg' } }])
    expect(await rowsOf('visit')).toEqual([])
  })

  test('keep their order over all pages, also with equal times', async () => {
    await changeDatabase(service, (stored) => {
      const add =
        stored.prepare(`insert into feedback (event_id, photo_id, guest_id, kind, is_visible, created_at, updated_at)
        values (?, ?, ?, 'like', 1, ?, ?)`)
      // Two guests at each of 20 times, 40 days apart, so that a page spans several spans of time.
      for (let index = 0; index < 40; index++) {
        const at = clock.now() - Math.floor(index / 2) * 40 * 24 * hour
        add.run(event.id, ids[0], `guest-${index}`, at, at)
      }
    })
    const seen: string[] = []
    let before = ''
    for (;;) {
      const { acts, next } = await listActs(`&limit=7${before}`)
      seen.push(...acts.map(({ guest }) => guest?.id ?? ''))
      if (next === null) break
      before = `&before=${encodeURIComponent(next)}`
    }
    const likes = seen.filter((id) => id.startsWith('guest-'))
    expect(likes.length).toBe(40)
    expect(new Set(likes).size).toBe(40)
    const times = likes.map((id) => Math.floor(Number(id.slice('guest-'.length)) / 2))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    const since = new Date(clock.now() - 41 * 24 * hour).toISOString()
    expect((await listActs(`&action=like&since=${since}`)).acts.length).toBe(4)
  })

  test('are listed for owners of the event only, by valid ids and times', async () => {
    const other = await createAccount(service, 'admin')
    expectProblem(await other.admin.get(`/api/admin/activity/acts?event_id=${event.id}`), 403, 'FORBIDDEN')
    expect((await other.admin.get('/api/admin/activity/acts')).body).toEqual({ acts: [], next: null })
    expectProblem(await admin.get('/api/admin/activity/acts?before=yesterday'), 400, 'VALIDATION_ERROR')
    for (const id of ['yesterday', `1.unknown.${event.id}.`])
      expectProblem(await admin.get(`/api/admin/activity/acts/${id}`), 404, 'NOT_FOUND')
  })
})

test('acts of accounts are folded and listed one by one in the same way', async () => {
  const { acts } = await listActs('&by=accounts')
  const [upload, creation] = acts
  expect(upload).toMatchObject({ act: 'uploadPhotos', count: 3, user: { id: 1, username: 'admin' }, guest: null })
  expect(creation).toMatchObject({ act: 'createEvent', count: 1 })
  expect((await listRows(upload as ActRecord, 'accounts')).rows).toMatchObject([
    { count: 3, via: 'token', address: '127.0.0.0/24', photo: null },
  ])
  const editor = await createAccount(service, 'editor')
  const own = (await editor.admin.get('/api/admin/activity/acts?by=accounts')).body.acts
  expect(own.every(({ user }: ActRecord) => user?.id === editor.id)).toBe(true)
  expect((await editor.admin.get(`/api/admin/activity/acts/${upload?.id}?by=accounts`)).body.rows).toEqual([])
})
