import { beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../../server/platform/time/clock.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createSigned, getAddress, type Signed, signable } from '../../support/fixtures/signed-pictures.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service

const changeEvent = (event: TestEvent, body: object) => api.patch(`/api/v1/events/${event.id}`, body)

type Change = (signed: Signed) => Promise<unknown>
const call = (method: string, path: string) => (signed: Signed) =>
  admin.call(method, `/api/admin/${path.replace(':event', String(signed.event.id))}`)
const change = (body: object) => (signed: Signed) => changeEvent(signed.event, body)
const patch = (body: object) => (signed: Signed) =>
  admin.patch(`/api/admin/photos/${signed.event.id}/photos/${signed.photo}`, body)
const trash = (path: string) => (signed: Signed) =>
  admin.post(`/api/admin/photos/${signed.event.id}/${path}`, { photoIds: [signed.photo] })
const deletePhoto: Change = ({ event, photo }) => admin.delete(`/api/admin/photos/${event.id}/photos/${photo}`)
const expire: Change = ({ event }) =>
  changeDatabase(service, (stored) =>
    stored.prepare('update events set expires_at = ? where id = ?').run(Date.now() - days(1), event.id),
  )
const reveal_at = new Date(Date.now() + days(1)).toISOString()

/** Each state with the fields or the change that begin it, the status of a picture, and what ends the state. */
const states: Array<[string, { fields?: object; begin?: Change; status: 200 | 404 | 410; end?: Change }]> = [
  ['live', { status: 200 }],
  ['a draft', { fields: { is_draft: true }, status: 404, end: call('POST', 'events/:event/publish') }],
  [
    'archived',
    { begin: call('POST', 'events/:event/archive'), status: 404, end: call('POST', 'events/:event/restore') },
  ],
  ['expired', { begin: expire, status: 410 }],
  ['before the reveal', { fields: { reveal_at }, status: 404, end: change({ reveal_at: null }) }],
  ['a hidden photo', { begin: patch({ visibility: 'hidden' }), status: 404, end: patch({ visibility: 'visible' }) }],
  ['a photo in the trash', { begin: trash('trash'), status: 404, end: trash('trash/bulk-restore') }],
  ['a deleted photo', { begin: deletePhoto, status: 404 }],
  ['a deleted event', { begin: call('DELETE', 'events/:event'), status: 404 }],
  [
    'an event in the trash',
    { begin: call('POST', 'events/:event/trash'), status: 404, end: call('POST', 'trashed-events/:event/restore') },
  ],
  ['switched off', { begin: change({ allow_signed_pictures: false }), status: 404, end: change(signable) }],
  [
    'with a password, without downloads',
    { fields: { require_password: true, password: 'open sesame', allow_downloads: false }, status: 200 },
  ],
]

test.each(states)('the viewing rules apply to each request: %s', async (_state, { fields, begin, status, end }) => {
  const signed = await createSigned(api, { ...fields })
  const { path } = signed
  if (!fields) expect((await anonymous.get(path)).status).toBe(200)
  await begin?.(signed)
  // What is changed in the database directly is seen by the caches within a second.
  await expect.poll(async () => (await anonymous.get(path)).status).toBe(status)
  if (status === 200) return
  const answer = await anonymous.get(path, { 'if-none-match': '*' })
  expectProblem(answer, status, status === 404 ? 'NOT_FOUND' : 'GALLERY_EXPIRED')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect((await anonymous.head(path)).status).toBe(status)
  if (!end) return
  await end(signed)
  expect((await anonymous.get(path)).status).toBe(200)
})

describe('an address that was not signed', () => {
  let signed: Signed
  let parts: string[]
  beforeAll(async () => {
    signed = await createSigned(api)
    parts = signed.path.split('/').slice(2)
  })
  const expectNotFound = async (...changed: string[]) =>
    expectProblem(await anonymous.get(`/pictures/${changed.join('/')}`), 404, 'NOT_FOUND')

  test('is 404 NOT_FOUND with any part changed', async () => {
    const [photo = '', width = '', expires = '', signature = ''] = parts
    const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    for (const other of [String(signed.second), '999999', `0${photo}`, `${photo}.0`, '-1', 'first', '9'.repeat(30)]) {
      await expectNotFound(other, width, expires, signature)
    }
    for (const other of ['1280', '2560', '0640', '641', 'original', '640.0']) {
      await expectNotFound(photo, other, expires, signature)
    }
    for (const other of [String(Number(expires) + 1), `${expires}.0`, `0${expires}`, 'never', '1', '9'.repeat(15)]) {
      await expectNotFound(photo, width, other, signature)
    }
    for (const other of [flipped, signature.slice(0, -1), `${signature}=`, `${signature}A`, '%20', 'x'.repeat(400)]) {
      await expectNotFound(photo, width, expires, other)
    }
    expect((await anonymous.get(`/pictures/${parts.join('/')}`)).status).toBe(200)
  })

  test('is 404 NOT_FOUND with the signature of another event, width or photo', async () => {
    const other = await createSigned(api)
    const [photo = '', width = '', expires = ''] = parts
    const foreign = [
      other.path,
      await getAddress(api, signed.event, signed.photo, { width: 1280 }),
      await getAddress(api, signed.event, signed.second),
    ]
    for (const path of foreign) await expectNotFound(photo, width, expires, path.split('/').at(-1) ?? '')
  })
})

describe('an address ends', () => {
  test('with a new password or a new link; new addresses work', async () => {
    const signed = await createSigned(api)
    let { path } = signed
    for (const change of [
      () => admin.post(`/api/admin/events/${signed.event.id}/renew-link`, undefined),
      () => changeEvent(signed.event, { require_password: true, password: 'open sesame' }),
    ]) {
      expect((await anonymous.get(path)).status).toBe(200)
      expect((await change()).status).toBe(200)
      expectProblem(await anonymous.get(path), 404, 'NOT_FOUND')
      path = await getAddress(api, signed.event, signed.photo)
      expect((await anonymous.get(path)).status).toBe(200)
    }
  })

  test('at its time, and caches keep the picture no longer', async () => {
    const clock = createMovableClock()
    const own = await serviceForTest({ edges: { clock } })
    const event = await createEvent(own.api, signable)
    const [photo = 0] = await uploadPhotos(own.api, event.id, 1)
    const path = await getAddress(own.api, event, photo, { expiresIn: 3_600 })
    expect((await own.anonymous.get(path)).status).toBe(200)
    clock.advance(Number(path.split('/')[4]) * 1000 - clock.now() - 60_000)
    const late = await own.anonymous.get(path)
    expect(late.status).toBe(200)
    const maxAge = Number(/max-age=(\d+)/.exec(late.headers.get('cache-control') ?? '')?.[1])
    expect(maxAge).toBeGreaterThan(30)
    expect(maxAge).toBeLessThanOrEqual(60)
    clock.advance(60_000)
    expectProblem(await own.anonymous.get(path), 404, 'NOT_FOUND')
  })
})
