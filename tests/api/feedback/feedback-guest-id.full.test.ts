import { beforeEach, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createMarkableGallery, createMarking, emptyMarks, feedbackResponse } from '../../support/fixtures/marks.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()

let opened: Awaited<ReturnType<typeof createMarkableGallery>>
let ana: TestClient
let ben: TestClient
const { give, read } = createMarking(service, () => opened)
beforeEach(async () => {
  opened = await createMarkableGallery(service)
  ;[ana, ben] = opened.guests
})

const loadGuestId = async (guest: TestClient): Promise<string> =>
  (await guest.get(`/api/gallery/${opened.event.slug}/session`)).body.guest.id
const like = async (guest: TestClient, guestId: unknown) =>
  give(guest, { feedback_type: 'like', set: true, guest_id: guestId })

test('feedback with a guest id is accepted from that guest; from another one it is 403 FORBIDDEN', async () => {
  expectProblem(await like(ben, await loadGuestId(ana)), 403, 'FORBIDDEN')
  expectProblem(await like(ben, 'nobody'), 403, 'FORBIDDEN')
  for (const guestId of [1, '', 'x'.repeat(101), null]) expectInvalidField(await like(ana, guestId), 'guest_id')
  expect(await read()).toMatchObject(emptyMarks)
  expect((await like(ana, await loadGuestId(ana))).body).toEqual(feedbackResponse('created'))
})

test('merged guests may send either id', async () => {
  const [from, into] = [await loadGuestId(ana), await loadGuestId(ben)]
  await like(ana, from)
  await like(ben, into)
  await service.admin.post(`/api/admin/events/${opened.event.id}/guests/merge`, { from, into })
  expect((await like(ana, from)).body).toEqual(feedbackResponse('updated'))
  expect((await like(ana, into)).body).toEqual(feedbackResponse('updated'))
  expect((await like(ben, from)).body).toEqual(feedbackResponse('updated'))
  expect(await read()).toMatchObject({ like_count: 1 })
})
