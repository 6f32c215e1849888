import { beforeEach, expect, test } from 'vitest'
import { did, markingIn, openToMark, unmarked } from '../support/marks.ts'
import { expectInvalid, expectProblem } from '../support/problems.ts'
import type { TestClient } from '../support/test-client.ts'
import { sharedService } from '../support/test-service.ts'

const service = await sharedService()

let opened: Awaited<ReturnType<typeof openToMark>>
let ana: TestClient
let ben: TestClient
const { give, read, seenBy } = markingIn(service, () => opened)
beforeEach(async () => {
  opened = await openToMark(service)
  ;[ana, ben] = opened.guests
})

const idOf = async (guest: TestClient): Promise<string> =>
  (await guest.get(`/api/gallery/${opened.event.slug}/session`)).body.guest.id
const like = async (guest: TestClient, meant: unknown) =>
  give(guest, { feedback_type: 'like', set: true, guest_id: meant })

test('feedback with a guest id is accepted from that guest', async () => {
  expect((await like(ana, await idOf(ana))).body).toEqual(did('created'))
  expect(await seenBy(ana)).toMatchObject({ is_liked: true })
})

test('from another one it is 403 FORBIDDEN and changes nothing', async () => {
  expectProblem(await like(ben, await idOf(ana)), 403, 'FORBIDDEN')
  expectProblem(await like(ben, 'nobody'), 403, 'FORBIDDEN')
  expect(await read()).toMatchObject(unmarked)
})

test('merged guests may send either id', async () => {
  const [from, into] = [await idOf(ana), await idOf(ben)]
  await like(ana, from)
  await like(ben, into)
  await service.admin.post(`/api/admin/events/${opened.event.id}/guests/merge`, { from, into })
  expect((await like(ana, from)).body).toEqual(did('updated'))
  expect((await like(ana, into)).body).toEqual(did('updated'))
  expect((await like(ben, from)).body).toEqual(did('updated'))
  expect(await read()).toMatchObject({ like_count: 1 })
})

test.each([1, '', 'x'.repeat(101), null])('guest_id: %j is 400', async (meant) => {
  expectInvalid(await like(ana, meant), 'guest_id')
})
