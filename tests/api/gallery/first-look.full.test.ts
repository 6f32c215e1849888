import { beforeEach, expect, test } from 'vitest'
import { days } from '../../../server/platform/time/clock.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForFile } from '../../support/service/test-service.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const clock = createMovableClock()
const service = await serviceForFile({ edges: { clock } })
const { api, admin, anonymous } = service
await createTestWebhook(service, { events: ['event.completed'] })

const thisYear = new Date().getUTCFullYear()
const wedding = { about_count: 80, complete_on: `${thisYear + 1}-05-12` }

let event: TestEvent
beforeEach(async () => {
  event = await createEvent(api, { event_date: '2026-06-20', language: 'de' })
})

const ofEvent = (path = '') => `/api/v1/events/${event.id}/first-look${path}`
const complete = () => api.post(ofEvent('/complete'), {})
/** The facts below the title, as text, and the whole page. */
async function openPage() {
  const { token } = await enterAsGuest(service, event)
  const { bytes } = await anonymous.get(`/gallery/${event.slug}`, { cookie: `gallery_${event.id}=${token}` })
  const page = bytes.toString()
  return { page, facts: /<p class="facts">(.*?)<\/p>/.exec(page)?.[1]?.replaceAll(/<[^>]*>/g, '') }
}

test('a first look is set, replaced, completed once and begun again, and the event says whether it is open', async () => {
  expect((await api.get(ofEvent())).body).toEqual({ first_look: null })
  expectProblem(await complete(), 409, 'INVALID_STATE')
  expect((await api.put(ofEvent(), wedding)).body).toEqual({ first_look: { ...wedding, completed_at: null } })
  const later = { ...wedding, about_count: 100 }
  await admin.put(`/api/admin/events/${event.id}/first-look`, later)
  expect((await api.get(ofEvent())).body).toEqual({ first_look: { ...later, completed_at: null } })
  const isOpen = async () => (await api.get(`/api/v1/events/${event.id}`)).body.has_first_look
  expect(await isOpen()).toBe(true)

  const completed = await complete()
  expect(completed.body).toEqual({ first_look: { ...later, completed_at: expect.any(String) } })
  expect(await isOpen()).toBe(false)
  expectProblem(await complete(), 409, 'INVALID_STATE')
  const told = listAnnouncedOf(service, event.id).map(({ type, data }) => [type, data])
  expect(told).toEqual([
    [
      'event.completed',
      { event: expect.objectContaining({ id: event.id, completed_at: completed.body.first_look.completed_at }) },
    ],
  ])

  await api.put(ofEvent(), wedding)
  expect(await isOpen()).toBe(true)
  expect((await api.delete(ofEvent())).body).toEqual({ first_look: null })
  expect(await isOpen()).toBe(false)
})

test('counts, days and archived events are checked, and a copy has no first look', async () => {
  for (const [body, field] of [
    [{ ...wedding, about_count: 0 }, 'about_count'],
    [{ ...wedding, about_count: 100_001 }, 'about_count'],
    [{ ...wedding, complete_on: '2027-02-30' }, 'complete_on'],
    [{ about_count: 80 }, 'complete_on'],
  ] as const) {
    expectInvalidField(await api.put(ofEvent(), body), field)
  }
  await api.put(ofEvent(), wedding)
  const copy = (await admin.post(`/api/admin/events/${event.id}/duplicate`, {})).body
  expect((await api.get(`/api/v1/events/${copy.id}`)).body.has_first_look).toBe(false)
  await api.post(`/api/v1/events/${event.id}/archive`, {})
  for (const reply of [await api.put(ofEvent(), wedding), await complete(), await api.delete(ofEvent())]) {
    expectProblem(reply, 409, 'EVENT_ARCHIVED')
  }
  expect((await api.get(ofEvent())).body.first_look.completed_at).toBeNull()
})

test('the page says how many of about how many photos there are and by when, until all are there', async () => {
  expect((await openPage()).facts).toBe('20. Juni 2026')
  await api.put(ofEvent(), wedding)
  const by = `12. Mai ${thisYear + 1}`
  const empty = await openPage()
  expect(empty.facts).toBe(`20. Juni 2026 · Die ersten Fotos kommen bald · vollständig bis ${by}`)
  expect(empty.page).not.toContain('class="notice"')
  await uploadPhotos(api, event.id, 2)
  const shown = await openPage()
  expect(shown.facts).toBe(`20. Juni 2026 · 2 von etwa 80 Fotos · vollständig bis ${by}`)
  expect(shown.page).toContain('data-about="80"')
  // Without a mail server nobody is told.
  expect(shown.page).not.toContain('id="first-look"')
  const guest = await enterAsGuest(service, event)
  const ask = { email: 'zoe@example.com' }
  expectProblem(await guest.post(`/api/gallery/${event.slug}/first-look/notice`, ask), 409, 'INVALID_STATE')

  // The year only if it is not this one, no day that is over, and no smaller number than there are photos.
  await api.put(ofEvent(), { about_count: 2, complete_on: `${thisYear}-12-31` })
  expect((await openPage()).facts).toBe('20. Juni 2026 · 2 Fotos · vollständig bis 31. Dez.')
  await api.put(ofEvent(), { ...wedding, complete_on: '2020-01-01' })
  expect((await openPage()).facts).toBe('20. Juni 2026 · 2 von etwa 80 Fotos')
  await api.patch(`/api/v1/events/${event.id}`, { reveal_at: new Date(clock.now() + days(1)).toISOString() })
  expect((await openPage()).facts).toBe('20. Juni 2026')
  await api.patch(`/api/v1/events/${event.id}`, { reveal_at: null })
  await complete()
  expect((await openPage()).facts).toBe('20. Juni 2026 · 2 Fotos')
})
