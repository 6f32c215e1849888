import { expect, test } from 'vitest'
import { createCookieClient } from '../../support/clients/cookie-client.ts'
import { parsePageData } from '../../support/clients/page-data.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

// The page gives its script only data that the API returns to the same guest.
const service = await sharedService()
const { admin, api } = service

const galleryPath = ({ share_url }: TestEvent) => new URL(share_url).pathname

test('the data of a page is what the API returns to the same guest, without anything of other guests', async () => {
  // Two guests have given feedback. Their comments wait for approval.
  const event = await createEvent(api, { moderate_comments: true })
  const ids = await uploadPhotos(api, event.id, 4)
  const base = `/api/gallery/${event.slug}`
  const [ana, ben] = [createCookieClient(service.url), createCookieClient(service.url)]
  for (const [guest, name, rating] of [
    [ana, 'Ana', 5],
    [ben, 'Quirin', 1],
  ] as const) {
    await guest.get(galleryPath(event))
    await guest.post(`${base}/guest`, { name, email: `${name}@guests.example`.toLowerCase() })
    for (const id of ids.slice(0, 3)) {
      const path = `${base}/photos/${id}/feedback`
      await guest.post(path, { feedback_type: 'rating', rating })
      await guest.post(path, { feedback_type: 'favorite' })
      await guest.post(path, { feedback_type: 'comment', comment_text: `Words of ${name}` })
    }
    await guest.post(`${base}/selection`, { note: `Words of ${name}` })
  }
  const { body: category } = await admin.post('/api/admin/categories', { name: 'Surprise', event_id: event.id })

  const changeEvent = (body: object) => api.patch(`/api/v1/events/${event.id}`, body)
  const changePhoto = (body: object) => admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, body)
  const check = async (state: string) => {
    const page = await ana.get(galleryPath(event))
    const data = parsePageData(page)
    const list = (await ana.get(`${base}/photos?limit=48`)).body
    const [own, handedIn] = [await ana.get(`${base}/my-feedback`), await ana.get(`${base}/selection`)]
    const nothing = { photos: 0, rated: 0, color_labeled: 0, liked: 0, favorited: 0, comments: 0 }
    expect(data, state).toMatchObject({
      photos: list.photos,
      categories: list.categories,
      event: list.event,
      total: list.pagination.total,
      filtered: list.pagination.filtered,
      feedback: (await ana.get(`${base}/feedback-settings`)).body,
      viewer: { kind: 'guest', guest: (await ana.get(`${base}/guest`)).body.guest },
      counts: own.status === 404 ? nothing : own.body.counts,
      selection: handedIn.status === 404 ? null : handedIn.body.selection,
      round: null,
    })
    expect(data.event).toEqual((await ana.get(`${base}/info`)).body)
    expect(data.selection?.count ?? null).toEqual(handedIn.status === 404 ? null : 3)
    const markup = page.bytes.toString()
    for (const secret of ['Quirin', 'quirin@guests', 'Words of', 'access_key', 'password_hash', 'Surprise']) {
      expect([state, markup.includes(secret)]).toEqual([state, false])
    }
    return markup
  }
  await check('live')
  for (const [flag, isOn] of [
    ['show_feedback_to_guests', true],
    ['feedback_enabled', true],
    ['allow_downloads', true],
  ] as const) {
    await changeEvent({ [flag]: !isOn })
    await check(flag)
    await changeEvent({ [flag]: isOn })
  }
  await changePhoto({ visibility: 'hidden', category_id: category.id })
  expect(await check('a hidden photo in a category of its own')).not.toContain(`/${ids[0]}"`)
  await changePhoto({ visibility: 'visible', category_id: null })
  await changeEvent({ reveal_at: '2999-01-01' })
  expect(await check('before the reveal')).not.toMatch(/thumbnail|\/photo\/|thumbhash|cover\.jpg/)
})

test('pages without access have no data', async () => {
  const locked = await createEvent(api, { require_password: true, password: 'open-sesame' })
  await uploadPhotos(api, locked.id, 1)
  const draft = await createEvent(api, { is_draft: true })
  for (const path of [galleryPath(locked), galleryPath(draft), '/gallery/nothing/x']) {
    const { bytes } = await service.anonymous.get(path)
    expect(bytes.toString()).not.toContain('gallery-data')
  }
})

test('a guest who entered by slug or password does not get the full link', async () => {
  const open = await createEvent(api)
  const locked = await createEvent(api, { require_password: true, password: 'open-sesame' })
  const byPassword = createCookieClient(service.url)
  await byPassword.submit(`/gallery/${locked.slug}/enter`, { password: 'open-sesame' })
  await admin.put('/api/admin/settings', { gallery_allow_slug_only: true })
  const pages = [
    [open, await createCookieClient(service.url).get(`/gallery/${open.slug}`)],
    [locked, await byPassword.get(`/gallery/${locked.slug}`)],
  ] as const
  await admin.put('/api/admin/settings', { gallery_allow_slug_only: false })
  for (const [event, page] of pages) {
    expect(parsePageData(page).share_path).toBeNull()
    expect(page.bytes.toString()).not.toContain(event.share_token)
  }
})

test('guests read the names that the settings give to color labels', async () => {
  const event = await createEvent(api)
  const load = async () => parsePageData(await createCookieClient(service.url).get(galleryPath(event))).messages
  await admin.put('/api/admin/settings', { color_name_red: 'Album <{count}>' })
  expect(await load()).toMatchObject({ red: 'Album <{count}>', yellow: 'Yellow' })
  await admin.put('/api/admin/settings', { color_name_red: '' })
  expect(await load()).toMatchObject({ red: 'Red' })
})

test('only the page of an event with a package has the round of the guest, its bar and its messages', async () => {
  const event = await createEvent(api)
  const [first = 0] = await uploadPhotos(api, event.id, 3)
  const base = `/api/gallery/${event.slug}`
  const guest = createCookieClient(service.url)
  const load = async () => {
    const page = await guest.get(galleryPath(event))
    const data = parsePageData(page)
    const isInMessages = Object.keys(data.messages).some((key) => key.startsWith('round'))
    const [, bar = ''] = /<section class="picks"([\s\S]*?)<\/section>/.exec(page.bytes.toString()) ?? []
    return {
      round: data.round,
      isInMessages,
      text: bar
        .replace(/^[^>]*>|<[^>]*>/g, ' ')
        .replace(/[ \u00a0]+/g, ' ')
        .trim(),
      bar,
    }
  }
  const noPicks = await guest.get(`${galleryPath(event)}?filter=favorited`)
  expect(noPicks.bytes.toString()).toContain('No picks yet: tap a heart.')
  await guest.post(`${base}/photos/${first}/feedback`, { feedback_type: 'favorite' })
  expect(await load()).toMatchObject({ round: null, isInMessages: false, text: '1 pick Send' })

  const album = {
    purpose: '<Album>',
    included: 0,
    minimum: 2,
    extra_text: '12 €',
    due_on: '2020-05-12',
    time_zone: 'UTC',
  }
  await admin.put(`/api/admin/events/${event.id}/package`, { ...album, locks_on_submission: false })
  const loadRound = async () => (await guest.get(`${base}/round`)).body.round
  const open = await load()
  expect(open).toMatchObject({ round: await loadRound(), isInMessages: true })
  expect(open.text).toBe('1 more to pick · was due May 12 &#60;Album&#62;: 1 · 1 extra, 12 € each Send')

  await admin.put(`/api/admin/events/${event.id}/package`, { ...album, minimum: 0, locks_on_submission: false })
  await guest.post(`${base}/selection`, {})
  const sent = await load()
  expect(sent.round).toEqual(await loadRound())
  expect(sent.bar).toContain(`href="${base}/selections/1/receipt"`)
  expect(sent.text).toMatch(
    /^Selection 1 sent .* · not accepted yet · Receipt · I sent it too early Locked · .* 12 € each$/,
  )

  const { rounds } = (await admin.get(`/api/admin/events/${event.id}/rounds`)).body
  await admin.post(`/api/admin/events/${event.id}/rounds/${rounds[0].id}/reopen`, { message: 'Fewer & <better>' })
  expect((await load()).text).toMatch(
    /^Fewer &#38; &#60;better&#62; was due May 12 · Receipt 1 · What changed .* Send again$/,
  )
})
