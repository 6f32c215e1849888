import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api, url } = service

const album = { purpose: 'Album', included: 1, maximum: 3, extra_text: '12 €', time_zone: 'Europe/Berlin' }

let event: TestEvent
let ids: number[]
let ana: TestClient
beforeEach(async () => {
  event = await createEvent(api, { allow_notes: true, allow_annotations: true, language: 'de' })
  ids = await uploadPhotos(api, event.id, 4)
  await api.put(ofEvent('/package'), album)
  ana = await enter('Ana <Zyx>')
})

async function enter(name: string) {
  const guest = await enterAsGuest(service, event)
  await guest.post(gallery('/guest'), { name })
  return guest
}

const gallery = (path: string) => `/api/gallery/${event.slug}${path}`
const ofEvent = (path: string) => `/api/v1/events/${event.id}${path}`
const give = (photo: number, body: object) => ana.post(gallery(`/photos/${ids[photo]}/feedback`), body)
const favor = (photo: number, set = true) => give(photo, { feedback_type: 'favorite', set })
const submit = async (note?: string) => {
  const { status, body } = await ana.post(gallery('/selection'), { note: note ?? null })
  expect(status).toBe(200)
  return body as { number: number; content_sha256: string }
}
const latestId = async (): Promise<number> => (await api.get(ofEvent('/selections'))).body.selections[0].id
const reopen = async () => {
  const { rounds } = (await api.get(ofEvent('/rounds?current=true'))).body
  await api.post(ofEvent(`/rounds/${rounds[0].id}/reopen`), { message: 'Please choose again' })
}
const hashOf = (snapshot: unknown) =>
  createHash('sha256')
    .update(canonicalize(snapshot) as string)
    .digest('hex')

/** Submits two photos with marks and texts of all kinds. */
async function submitAll() {
  await favor(0)
  await favor(1)
  await give(0, { feedback_type: 'rating', rating: 4 })
  await give(1, { feedback_type: 'color_label', color_label: 'green' })
  await give(0, { feedback_type: 'comment', comment_text: 'zyxcomment' })
  await ana.post(gallery(`/photos/${ids[0]}/threads`), { kind: 'pin', x: 1, y: 2, text: 'zyxpin' })
  const { number, content_sha256 } = await submit('=zyxnote')
  return { number, content_sha256, id: await latestId() }
}

describe('a receipt', () => {
  test('is the same for both sides, to the byte, whatever happens to photos and event later', {
    tags: 'storage',
  }, async () => {
    await admin.put('/api/admin/settings', { color_name_green: 'Leinwand', color_name_red: '' })
    const { id, number, content_sha256 } = await submitAll()
    const read = async () => {
      const answers = []
      for (const query of ['', '?format=csv', '?format=csv&headers=de']) {
        const own = await ana.get(gallery(`/selections/${number}/receipt${query}`))
        const other = await admin.get(`/api/admin/events/${event.id}/selections/${id}/receipt${query}`)
        expect([own.status, other.bytes.equals(own.bytes)]).toEqual([200, true])
        expect(other.headers.get('etag')).toBe(own.headers.get('etag'))
        answers.push(own)
      }
      return answers
    }
    const before = await read()
    const [page = '', keys = '', table = ''] = before.map(({ bytes }) => bytes.toString())
    for (const part of [
      'Ana &#60;Zyx&#62;',
      '(Europe/Berlin)',
      '1 extra × 12 €',
      '4 Sterne',
      'Leinwand',
      content_sha256,
    ]) {
      expect(page).toContain(part)
    }
    expect(page).toMatch(/zyxnote[\s\S]*receipt\/\d+\.jpg" alt="photo-1.jpg"[\s\S]*zyxcomment[\s\S]*Punkt: zyxpin/)
    expect(page).toMatch(/<dt>Höchstens<\/dt><dd dir="auto">3</)
    expect(page).not.toMatch(/<script|loading=|Mindestens/)
    expect(keys).toContain('source_filename,rating,color_label')
    expect(keys).toContain("'=zyxnote")
    expect([keys, table].map((text) => /Leinwand|green/.exec(text)?.[0])).toEqual(['green', 'Leinwand'])
    expect(table).toContain('Dateiname,Bewertung,Farbe')

    await admin.put('/api/admin/settings', { color_name_green: '' })
    await api.patch(ofEvent(''), { event_name: 'Renamed', language: 'en' })
    await api.put(ofEvent('/package'), { ...album, purpose: 'Book', included: 9 })
    await api.upload(event.id, await jpeg({ seed: 77 }), {
      name: 'retouched.jpg',
      fields: { replaces_photo_id: `${ids[0]}` },
    })
    await api.delete(ofEvent(`/photos/${ids[1]}`))
    await ana.post(gallery('/guest'), { name: 'Another name' })
    const after = await read()
    expect(after.map(({ bytes }) => bytes.toString())).toEqual([page, keys, table])
  })

  test('has an ETag and the thumbnails of its own photos alone; a hidden or deleted one is gone', async () => {
    const { id, number } = await submitAll()
    const path = gallery(`/selections/${number}/receipt`)
    const etag = (await ana.get(path)).headers.get('etag') ?? ''
    expect((await ana.call('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const ofOperators = ofEvent(`/selections/${id}/receipt`)
    const picture = await ana.get(`${path}/${ids[0]}.jpg`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect((await api.get(`${ofOperators}/${ids[0]}.jpg`)).bytes.equals(picture.bytes)).toBe(true)
    expectProblem(await ana.get(`${path}/${ids[2]}.jpg`), 404, 'NOT_FOUND')
    expectProblem(await api.get(`${ofOperators}/${ids[2]}.jpg`), 404, 'NOT_FOUND')
    await api.patch(ofEvent(`/photos/${ids[0]}`), { visibility: 'hidden' })
    expectProblem(await ana.get(`${path}/${ids[0]}.jpg`), 404, 'NOT_FOUND')
    expect((await api.get(`${ofOperators}/${ids[0]}.jpg`)).status).toBe(200)
    await api.delete(ofEvent(`/photos/${ids[0]}`))
    expectProblem(await api.get(`${ofOperators}/${ids[0]}.jpg`), 404, 'NOT_FOUND')
    // Another picture is not the one that was chosen.
    const fields = { replaces_photo_id: `${ids[1]}` }
    await api.upload(event.id, await jpeg({ seed: 99 }), { name: 'retouched.jpg', fields })
    expectProblem(await api.get(`${ofOperators}/${ids[1]}.jpg`), 404, 'NOT_FOUND')
  })

  test('is read by its guest and operators alone, by these also after the end of the gallery', async () => {
    const { id, number } = await submitAll()
    const path = gallery(`/selections/${number}/receipt`)
    const byOperator = ofEvent(`/selections/${id}/receipt`)
    const other = await enter('Ben')
    for (const part of ['receipt', `receipt/${ids[0]}.jpg`, 'difference']) {
      expectProblem(await other.get(gallery(`/selections/${number}/${part}`)), 404, 'NOT_FOUND')
    }
    const elsewhere = await createEvent(api)
    for (const part of ['', '/receipt', `/receipt/${ids[0]}.jpg`, '/difference']) {
      expectProblem(await api.get(`/api/v1/events/${elsewhere.id}/selections/${id}${part}`), 404, 'NOT_FOUND')
    }
    // A link in a mail is opened in a browser, perhaps without a session.
    const visit = await fetch(`${url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect([visit.status, visit.headers.get('location')]).toEqual([302, `/gallery/${event.slug}`])

    await api.patch(ofEvent(''), { reveal_at: '2040-01-01T10:00:00.000Z' })
    expectProblem(await ana.get(path), 404, 'NOT_FOUND')
    await api.patch(ofEvent(''), { reveal_at: null })
    await admin.post(`/api/admin/events/${event.id}/close`, {})
    expectProblem(await ana.get(path), 410, 'GALLERY_EXPIRED')
    expect((await api.get(byOperator)).status).toBe(200)
    await api.post(ofEvent('/archive'), {})
    expectProblem(await ana.get(path), 404, 'NOT_FOUND')
    expect((await api.get(byOperator)).status).toBe(200)
    expect((await api.get(`${byOperator}/${ids[0]}.jpg`)).status).toBe(200)
  })

  test('is opened in a browser by the cookie of an operator', async () => {
    const { id } = await submitAll()
    const path = `/api/admin/events/${event.id}/selections/${id}/receipt`
    const { status, headers } = await fetch(url + path, { headers: { cookie: `admin_token=${admin.token}` } })
    expect([status, headers.get('content-security-policy')]).toEqual([200, expect.stringContaining("img-src 'self'")])
  })

  test('leaves out notes, pins and boxes for API tokens without the right to read them', async () => {
    const { id } = await submitAll()
    const reader = createClient(url, await createApiToken(admin, ['read'], { readsNotes: false }))
    const receipt = (await reader.get(ofEvent(`/selections/${id}/receipt`))).bytes.toString()
    expect([receipt.includes('zyxcomment'), receipt.includes('zyxpin')]).toEqual([true, false])
    const { people } = (await reader.get(ofEvent(`/selections/${id}`))).body
    expect(people).toEqual({
      guest_name: 'Ana <Zyx>',
      note: '=zyxnote',
      comments: [{ photo_id: ids[0], kind: 'comment', text: 'zyxcomment' }],
    })
  })

  test('names nobody after the erasure, and its hash still verifies', { tags: 'database' }, async () => {
    const { id, content_sha256 } = await submitAll()
    const { body: before } = await api.get(ofEvent(`/selections/${id}`))
    expect(hashOf(before.snapshot)).toBe(content_sha256)
    await admin.delete(`/api/admin/events/${event.id}/guests/${before.guest.id}`)
    const { body: after } = await api.get(ofEvent(`/selections/${id}`))
    expect(after).toMatchObject({ guest: null, people: null, content_sha256, snapshot: before.snapshot })
    expect(hashOf(after.snapshot)).toBe(content_sha256)
    const page = (await api.get(ofEvent(`/selections/${id}/receipt`))).bytes.toString()
    expect(page).toContain('einer Person, die gelöscht wurde')
    expect(page + (await api.get(ofEvent(`/selections/${id}/receipt?format=csv`))).bytes.toString()).not.toMatch(/zyx/i)
  })

  test('does not exist without a package, but the selection has details', async () => {
    await api.delete(ofEvent('/package'))
    await favor(0)
    const { number } = await submit('Hello')
    const id = await latestId()
    const { body } = await api.get(ofEvent(`/selections/${id}`))
    expect(body).toMatchObject({ id, number, round: null, snapshot: null, people: null, content_sha256: null })
    expectProblem(await api.get(ofEvent(`/selections/${id}/receipt`)), 404, 'NOT_FOUND')
    expectProblem(await ana.get(gallery(`/selections/${number}/receipt`)), 404, 'NOT_FOUND')
    expectProblem(await api.get(ofEvent(`/selections/${id}/difference`)), 404, 'NOT_FOUND')
  })
})

test('the difference is that of two snapshots, for guest and operators alike', async () => {
  const none = { rating: null, color_label: null, is_liked: false }
  const photo = (index: number) => ({ id: ids[index], source_filename: `photo-${index + 1}.jpg`, ...none })
  const first = await submitAll()
  await reopen()
  await favor(1, false)
  await favor(2)
  await give(0, { feedback_type: 'rating', rating: 2 })
  const { number } = await submit()
  const id = await latestId()
  const expected = {
    from: { number: 1, count: 2 },
    to: { number: 2, count: 2 },
    added: [photo(2)],
    removed: [{ ...photo(1), color_label: 'green' }],
    changed: [
      {
        id: ids[0],
        source_filename: 'photo-1.jpg',
        before: { ...none, rating: 4 },
        after: { ...none, rating: 2 },
      },
    ],
  }
  expect((await api.get(ofEvent(`/selections/${id}/difference`))).body).toEqual(expected)
  expect((await api.get(ofEvent(`/selections/${id}/difference?from=${first.id}`))).body).toEqual(expected)
  expect((await ana.get(gallery(`/selections/${number}/difference`))).body).toEqual(expected)
  expect((await ana.get(gallery(`/selections/${number}/difference?from=1`))).body).toEqual(expected)
  const { from, added } = (await api.get(ofEvent(`/selections/${first.id}/difference`))).body
  expect([from, added.length]).toEqual([null, 2])

  const other = await enter('Ben')
  await other.post(gallery(`/photos/${ids[3]}/feedback`), { feedback_type: 'favorite' })
  await other.post(gallery('/selection'), {})
  const otherId = await latestId()
  for (const from of [otherId, id, 1_000_000]) {
    expectProblem(await api.get(ofEvent(`/selections/${id}/difference?from=${from}`)), 404, 'NOT_FOUND')
  }
  for (const from of [number, 7]) {
    expectProblem(await ana.get(gallery(`/selections/${number}/difference?from=${from}`)), 404, 'NOT_FOUND')
  }
})
