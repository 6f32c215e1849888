import { beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../../server/platform/clock.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestResponse } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createSigned, getAddress, type Signed, signable } from '../../support/fixtures/signed-pictures.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api } = service

const changeEvent = (event: TestEvent, body: object) => api.patch(`/api/v1/events/${event.id}`, body)

const past = new Date(Date.now() - days(1)).toISOString()
const future = new Date(Date.now() + days(1)).toISOString()
const patchPhoto = ({ event, photo }: Signed, body: object) =>
  admin.patch(`/api/admin/photos/${event.id}/photos/${photo}`, body)
const expire = ({ event }: Signed) =>
  changeDatabase(service, (stored) =>
    stored.prepare('update events set expires_at = ? where id = ?').run(Date.parse(past), event.id),
  )

describe('the viewing rules apply to each request', () => {
  type Row = {
    state: string
    fields?: Record<string, unknown>
    change?: (signed: Signed) => Promise<unknown>
    outcome: '200' | '404 NOT_FOUND' | '410 GALLERY_EXPIRED'
    /** Ends the state; the picture is shown again. */
    undo?: (signed: Signed) => Promise<unknown>
  }
  const archive = ({ event }: Signed) => api.post(`/api/v1/events/${event.id}/archive`, {})
  const table: Row[] = [
    { state: 'live', outcome: '200' },
    {
      state: 'a draft',
      fields: { is_draft: true },
      outcome: '404 NOT_FOUND',
      undo: ({ event }) => api.post(`/api/v1/events/${event.id}/publish`, {}),
    },
    {
      state: 'archived',
      change: archive,
      outcome: '404 NOT_FOUND',
      undo: ({ event }) => api.post(`/api/v1/events/${event.id}/restore`, {}),
    },
    { state: 'expired', change: expire, outcome: '410 GALLERY_EXPIRED' },
    {
      state: 'before the reveal',
      fields: { reveal_at: future },
      outcome: '404 NOT_FOUND',
      undo: ({ event }) => changeEvent(event, { reveal_at: null }),
    },
    {
      state: 'a hidden photo',
      change: (signed) => patchPhoto(signed, { visibility: 'hidden' }),
      outcome: '404 NOT_FOUND',
      undo: (signed) => patchPhoto(signed, { visibility: 'visible' }),
    },
    {
      state: 'a photo in the trash',
      change: ({ event, photo }) => admin.post(`/api/admin/photos/${event.id}/trash`, { photoIds: [photo] }),
      outcome: '404 NOT_FOUND',
      undo: ({ event, photo }) => admin.post(`/api/admin/photos/${event.id}/trash/bulk-restore`, { photoIds: [photo] }),
    },
    {
      state: 'a deleted photo',
      change: ({ event, photo }) => admin.delete(`/api/admin/photos/${event.id}/photos/${photo}`),
      outcome: '404 NOT_FOUND',
    },
    {
      state: 'a deleted event',
      change: ({ event }) => api.delete(`/api/v1/events/${event.id}`),
      outcome: '404 NOT_FOUND',
    },
    {
      state: 'an event in the trash',
      change: ({ event }) => admin.post(`/api/admin/events/${event.id}/trash`, undefined),
      outcome: '404 NOT_FOUND',
      undo: ({ event }) => admin.post(`/api/admin/trashed-events/${event.id}/restore`, undefined),
    },
    {
      state: 'the switch turned off',
      change: ({ event }) => changeEvent(event, { allow_signed_pictures: false }),
      outcome: '404 NOT_FOUND',
      undo: ({ event }) => changeEvent(event, signable),
    },
    {
      state: 'a gallery with a password, without downloads',
      fields: { require_password: true, password: 'open sesame', allow_downloads: false },
      outcome: '200',
    },
  ]

  const outcomeOf = ({ status, body }: TestResponse) => (status === 200 ? '200' : `${status} ${body?.code}`)

  test.each(table)('$state: $outcome', async ({ fields, change, outcome, undo }) => {
    const signed = await createSigned(api, fields)
    const { path } = signed
    const wasShown = fields?.is_draft === undefined && fields?.reveal_at === undefined
    if (wasShown) expect((await anonymous.get(path)).status).toBe(200)
    expect((await change?.(signed)) ?? true).toBeTruthy()
    // What is changed in the database directly is seen by the caches within a second.
    await expect.poll(async () => outcomeOf(await anonymous.get(path))).toBe(outcome)
    if (outcome !== '200') {
      const answer = await anonymous.get(path, { 'if-none-match': '*' })
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([Number(outcome.slice(0, 3)), 'no-store'])
      expect((await anonymous.head(path)).status).toBe(Number(outcome.slice(0, 3)))
    }
    if (!undo) return
    await undo(signed)
    expect(outcomeOf(await anonymous.get(path))).toBe('200')
  })
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
