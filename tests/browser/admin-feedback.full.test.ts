import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, type Device, measureSidewaysOverflow, waitForScript } from '../support/browser/guest-page.ts'
import { byKeyboard } from '../support/browser/input-methods.ts'
import type { TestClient } from '../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../support/fixtures/events.ts'
import { createMarking } from '../support/fixtures/marks.ts'
import { jpeg } from '../support/media/pictures.ts'
import { readArchiveFiles } from '../support/media/read-archive.ts'
import { sidecarForms } from '../support/media/sidecar-forms.ts'
import { startTcpProxy } from '../support/network/tcp-proxy.ts'
import { adminPassword, serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api } = service
const browsers = await chromiumForFile()
const hostile = '<img src=x onerror=alert(1)> \u202Ereversed'

type FeedbackEvent = Awaited<ReturnType<typeof openEvent>>

/** Creates five photos. Ana has picked the first two of them, Ben the second. */
async function openEvent(body: Record<string, unknown> = {}) {
  const event = await createEvent(api, body)
  const ids: number[] = []
  for (const number of [1, 2, 3, 4, 5]) {
    ids.push((await api.upload(event.id, await jpeg({ seed: number }), { name: `IMG_${number}.JPG` })).body.id)
  }
  const marks = createMarking(service, () => ({ event, ids: ids as [number, number] }))
  const guest = async (name: string): Promise<TestClient> => {
    const client = await enterAsGuest(service, event)
    await client.post(`/api/gallery/${event.slug}/guest`, { name })
    return client
  }
  const [ana, ben] = [await guest('Ana'), await guest('Ben')]
  await marks.favor(ana, ids[0])
  await marks.favor(ana, ids[1])
  await marks.favor(ben, ids[1])
  const comment = (client: TestClient, comment_text: string, id = ids[0]) =>
    marks.give(client, { feedback_type: 'comment', comment_text }, id)
  return { event, ids, marks, ana, ben, guest, comment }
}

async function openAdminApp(path: string, device: Device = 'desktop', origin = service.url) {
  const adminApp = await browsers.openBlankPage(origin, device)
  const data = { username: 'admin', password: adminPassword }
  await adminApp.page.request.post(`${origin}/api/auth/admin/login`, { data })
  await adminApp.page.goto(`${origin}/admin${path}`)
  return adminApp
}

async function openBoard({ event }: { event: TestEvent }, part: 'picks' | 'comments' = 'picks', origin?: string) {
  const adminApp = await openAdminApp(`/events/${event.id}/${part}`, 'desktop', origin)
  await adminApp.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await adminApp.page.locator('.live-state', { hasText: 'Live' }).waitFor()
  return adminApp
}

const tiles = (page: Page) => page.getByRole('list', { name: 'Picks' }).getByRole('link')
const names = (page: Page) => tiles(page).locator('.pick-name').allTextContents()
const guestButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('the picks board', () => {
  test('shows a pick made in the gallery without a reload', async () => {
    const { event } = await openEvent()
    const { page, pageErrors } = await openBoard({ event })
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    expect(await names(page)).toEqual(['IMG_1.JPG', 'IMG_2.JPG'])

    const visit = await browsers.open(event.share_url, 'phone')
    await waitForScript(visit.page, true)
    // The newest photo comes first.
    await visit.page.getByRole('button', { name: 'Pick Photo 2 of 5' }).tap()
    await page.getByRole('link', { name: /^IMG_4\.JPG picked by Guest 1$/ }).waitFor()

    await page.getByRole('heading', { name: '3 photos picked' }).waitFor()
    await page.getByRole('status').getByText('A guest picked IMG_4.JPG').waitFor()
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
    await expectNoAxeFindings(page)

    await visit.page.getByRole('button', { name: 'Pick Photo 2 of 5' }).tap()
    await page.getByRole('heading', { name: '2 photos picked' }).waitFor()
    expect([pageErrors, visit.pageErrors]).toEqual([[], []])
  })

  test('shows guest names and submitted selections without a reload', async () => {
    const { event } = await openEvent()
    const { page, pageErrors } = await openBoard({ event })
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    const visit = await browsers.open(event.share_url, 'phone')
    await waitForScript(visit.page, true)
    await visit.page.getByRole('button', { name: 'Pick Photo 2 of 5' }).tap()
    const row = (name: string) => page.getByRole('row').filter({ has: guestButton(page, name) })
    await row('Guest 1').getByText('Not yet').waitFor()
    await page.getByRole('status').getByText('A guest picked IMG_4.JPG').waitFor()

    await visit.page.getByRole('button', { name: 'Send to photographer' }).tap()
    await visit.page.getByRole('button', { name: 'Add a message' }).tap()
    const dialog = visit.page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Cleo')
    await dialog.getByLabel('Message').fill('For the wall')
    await dialog.getByRole('button', { name: 'Send my picks' }).tap()
    await row('Cleo').getByText('1 photo').waitFor()
    await row('Cleo').getByText('For the wall').waitFor()
    await guestButton(page, 'Guest 1').waitFor({ state: 'detached' })
    await page.locator('.live-last', { hasText: 'Cleo submitted 1 pick' }).waitFor()
    await page.getByRole('status').getByText('Cleo submitted 1 pick').waitFor()
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
    await expectNoAxeFindings(page)
    expect([pageErrors, visit.pageErrors]).toEqual([[], []])
  })

  test('shows earlier selections of a guest with their messages, also in the export', async () => {
    const { event, ana, marks, ids } = await openEvent()
    await ana.post(`/api/gallery/${event.slug}/selection`, { note: 'Please retouch these' })
    await marks.favor(ana, ids[2])
    await ana.post(`/api/gallery/${event.slug}/selection`, {})
    const { page, pageErrors } = await openBoard({ event })
    const row = page.getByRole('row').filter({ has: guestButton(page, 'Ana') })
    await row.getByText('1 earlier selection').click()
    await row.getByText('No. 1: 2 photos').waitFor()
    await row.getByText('Please retouch these').waitFor()
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const sets = page.getByRole('dialog').getByLabel('Photos', { exact: true }).locator('option')
    expect(await sets.allTextContents()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Submitted by Ana on .* \(3 photos\)$/),
        expect.stringMatching(/^Earlier selection by Ana, .* \(2 photos\)$/),
      ]),
    )
    expect(pageErrors).toEqual([])
  })

  test('shows the name that a guest gives without a reload', async () => {
    const { event, ana } = await openEvent()
    const { page } = await openBoard({ event })
    await ana.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana Maria' })
    await guestButton(page, 'Ana Maria').waitFor()
  })

  test('continues after a lost connection, with the missed events', async () => {
    const proofing = await openEvent()
    const proxy = await startTcpProxy({ port: Number(new URL(service.url).port) })
    onTestFinished(() => proxy.close())
    const { page } = await openBoard(proofing, 'picks', `http://127.0.0.1:${proxy.port}`)
    await proofing.marks.favor(proofing.ben, proofing.ids[2])
    await page.getByRole('heading', { name: '3 photos picked' }).waitFor()
    // The connection continues after the last event that the page has received, so there must be one.
    await page.locator('.live-last', { hasText: 'Ben picked' }).waitFor()
    proxy.cut()
    await page.getByText('Reconnecting').waitFor()
    await proofing.marks.favor(proofing.ben, proofing.ids[3])
    proxy.open()
    await page.getByRole('heading', { name: '4 photos picked' }).waitFor()
    await page.locator('.live-state', { hasText: 'Live' }).waitFor()
    // The page received the events that it had missed.
    await page.getByText('Ben picked IMG_4.JPG').first().waitFor()
  })

  test('shows by keyboard the picks of both guests, and those of one', async () => {
    const { event } = await openEvent()
    const { page, pageErrors } = await openBoard({ event })
    const { press } = byKeyboard(page)
    await press(page.getByRole('button', { name: 'Picked by two or more' }))
    await page.getByRole('heading', { name: '1 photo picked by two or more guests' }).waitFor()
    expect(await names(page)).toEqual(['IMG_2.JPG'])

    await press(guestButton(page, 'Ana'))
    await page.getByRole('heading', { name: '2 photos picked by Ana' }).waitFor()
    await press(page.getByRole('button', { name: 'Only this guest' }))
    await page.getByRole('heading', { name: '1 photo picked only by Ana' }).waitFor()
    expect(await names(page)).toEqual(['IMG_1.JPG'])

    await press(guestButton(page, 'Ben'))
    await press(page.getByRole('button', { name: 'All of these guests 1' }))
    await page.getByRole('heading', { name: /1 photo picked together by (Ana and Ben|Ben and Ana)/ }).waitFor()
    expect(await names(page)).toEqual(['IMG_2.JPG'])
    await expectNoAxeFindings(page)

    await page.reload()
    await page.getByRole('heading', { name: /1 photo picked together by/ }).waitFor()
    expect(pageErrors).toEqual([])
  })

  test('shows who has submitted, and what has changed since', async () => {
    const { event, ana, marks, ids } = await openEvent()
    await ana.post(`/api/gallery/${event.slug}/selection`, { note: 'For the album' })
    const { page } = await openBoard({ event })
    const row = page.getByRole('row').filter({ has: guestButton(page, 'Ana') })
    await row.getByText('2 photos').waitFor()
    await row.getByText('For the album').waitFor()
    await marks.favor(ana, ids[4])
    await row.getByText('1 changed since').waitFor()
    await page
      .getByRole('row')
      .filter({ has: guestButton(page, 'Ben') })
      .getByText('Not yet')
      .waitFor()
  })

  test('gives a guest a personal link, merges two guests, and erases a guest', async () => {
    const { event, ana } = await openEvent()
    expect((await ana.post(`/api/gallery/${event.slug}/selection`, { note: 'For the wall' })).status).toBe(200)
    const { page } = await openBoard({ event })
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'More for Ben' }).click()
    await page.getByRole('menuitem', { name: 'Personal link' }).click()
    await expectNoAxeFindings(page)
    const link = await dialog.locator('.personal-link').textContent()
    expect(link).toMatch(new RegExp(`^${service.url}/gallery/${event.slug}/continue/[\\w-]{43}$`))
    await dialog.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await page.getByRole('button', { name: 'More for Ben' }).click()
    await page.getByRole('menuitem', { name: 'Merge guests' }).click()
    await dialog.getByLabel('Merge into').selectOption({ label: 'Ana (2 picks)' })
    await expectNoAxeFindings(page)
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await dialog.waitFor({ state: 'detached' })
    await guestButton(page, 'Ben').waitFor({ state: 'detached' })
    expect(await names(page)).toEqual(['IMG_1.JPG', 'IMG_2.JPG'])

    await page.getByRole('button', { name: 'More for Ana', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Erase guest' }).click()
    await dialog.getByText('the feedback of the guest are erased: 2 picks').waitFor()
    await expectNoAxeFindings(page)
    await dialog.getByRole('button', { name: 'Erase guest' }).click()
    const erased = page.getByRole('dialog', { name: 'Ana was erased' })
    await erased.getByText(/^Erased: contact details, 2 picks, .* on 1 selection/).waitFor()
    await erased.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByText('No picks yet').waitFor()

    // What was submitted stays, without name and note.
    await page.getByText('1 selection of an erased guest').click()
    expect(await page.locator('.folded-selections li').textContent()).toMatch(/^2 photos/)
    await page.getByRole('button', { name: 'Export' }).click()
    const choices = await dialog.getByLabel('Photos', { exact: true }).locator('option').allTextContents()
    const choice = choices.find((text) => /^Selection of an erased guest, .* \(2 photos\)$/.test(text))
    await dialog.getByLabel('Photos', { exact: true }).selectOption(choice ?? '')
    await dialog.getByLabel('Format').selectOption('list')
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toBe('IMG_1\nIMG_2')
  })

  test('explains what to do when there are no picks', async () => {
    const event = await createEvent(api)
    await api.upload(event.id, await jpeg({ seed: 1 }), { name: 'IMG_1.JPG' })
    const { page } = await openBoard({ event })
    await page.getByText('No picks yet').waitFor()
    expect(await page.getByRole('link', { name: 'Share the link' }).getAttribute('href')).toMatch(/\/share$/)
    await expectNoAxeFindings(page)
    await admin.put(`/api/admin/feedback/events/${event.id}/feedback-settings`, {
      allow_favorites: false,
      allow_likes: false,
    })
    await page.reload()
    await page.getByText('Picks are turned off').waitFor()
  })
})

describe('exporting picks', () => {
  const listOf = async ({ event }: FeedbackEvent, query: string) =>
    (await admin.get(`/api/admin/feedback/events/${event.id}/export?format=list&${query}`)).bytes.toString()
  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

  test('copies the list for each program as in the API, and says how to paste it', async () => {
    const proofing = await openEvent()
    const { page, pageErrors } = await openBoard(proofing)
    await page.getByRole('button', { name: 'Copy for Lightroom' }).click()
    await page.getByText('2 file names copied').waitFor()
    expect(await clipboard(page)).toBe('IMG_1 IMG_2')
    expect(await clipboard(page)).toBe(await listOf(proofing, 'min_pickers=1&separator=space'))
    await page.getByText('Text › Filename › Contains').waitFor()

    await guestButton(page, 'Ana').click()
    await page.getByRole('button', { name: 'Only this guest' }).click()
    await page.getByRole('button', { name: 'Copy for another app' }).click()
    await page.getByRole('menuitem', { name: 'Copy for Capture One' }).click()
    await page.getByText('1 file name copied').waitFor()
    expect(await clipboard(page)).toBe('IMG_1')
    await page.reload()
    // The browser remembers the program.
    await page.getByRole('button', { name: 'Copy for Capture One' }).waitFor()
    expect(pageErrors).toEqual([])
  })

  test('warns only where names with spaces may match more than was picked', async () => {
    const proofing = await openEvent()
    const { page } = await openBoard(proofing)
    await page.getByRole('button', { name: 'Copy for Lightroom' }).waitFor()
    expect(await page.getByText(/file names? contains? spaces/).count()).toBe(0)
    const name = 'fin de journée.jpg'
    const { id } = (await api.upload(proofing.event.id, await jpeg({ seed: 6 }), { name })).body
    await proofing.marks.favor(proofing.ben, id)
    await page.getByText(/^1 file name contains spaces\..* XMP sidecars/).waitFor()
    await expectNoAxeFindings(page)
    // Ana has not picked that photo, so there is no warning.
    await guestButton(page, 'Ana').click()
    await page.getByText(/^1 file name contains spaces/).waitFor({ state: 'detached' })
    await guestButton(page, 'Ana').click()
    await page.getByText(/^1 file name contains spaces/).waitFor()
    // The list for Capture One has one name per line.
    await page.getByRole('button', { name: 'Copy for another app' }).click()
    await page.getByRole('menuitem', { name: 'Copy for Capture One' }).click()
    await page.getByText(/^1 file name contains spaces/).waitFor({ state: 'detached' })
    await page.getByText('3 file names copied').waitFor()
    expect(await clipboard(page)).toContain('fin de journée')
  })

  test('has a table that people read, with pending comments and without own stars unless asked', async () => {
    const proofing = await openEvent()
    await proofing.comment(proofing.ana, 'Not approved yet')
    await proofing.marks.mark(admin, { rating: 5 }, proofing.ids[0])
    const { page } = await openBoard(proofing)
    await page.getByRole('button', { name: 'Export' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Format').selectOption('csv')
    await dialog.getByText('of all guests together.').waitFor()
    const saveTable = async () => {
      const [table] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Save' }).click(),
      ])
      return { name: table.suggestedFilename(), text: await readFile(await table.path(), 'utf8') }
    }
    const guests = await saveTable()
    expect(guests.name).toMatch(/-picks-guests-\d+\.csv$/)
    expect(guests.text).toContain('File name,Picked by,Rating (all guests)')
    expect(guests.text).toContain('\r\nIMG_1.JPG,Ana,,')
    expect(guests.text).toContain('Ana (awaiting approval): Not approved yet')
    await page.getByRole('button', { name: 'Export' }).click()
    await dialog.getByLabel('Include my own ratings').check()
    await dialog.getByText('of all guests together, merged with yours').waitFor()
    expect((await saveTable()).text).toContain('\r\nIMG_1.JPG,Ana,5,')
  })

  test('shows what has changed since the last export', async () => {
    const proofing = await openEvent()
    const { page } = await openBoard(proofing)
    await page.getByRole('button', { name: 'Copy for Lightroom' }).click()
    await page.getByText(/Last export on .*: 2 photos\./).waitFor()
    await page.getByText('No changes since then.').waitFor()
    await proofing.marks.favor(proofing.ben, proofing.ids[3])
    await proofing.marks.favor(proofing.ana, proofing.ids[0])
    await page.getByText('Since then: 1 photo was added, 1 photo is no longer picked.').waitFor()
  })

  test('saves sidecars whose stars, colors and hearts other programs read', async () => {
    const proofing = await openEvent()
    const { marks, ana, ids } = proofing
    await marks.rate(ana, 4, ids[0])
    await marks.label(ana, 'red', ids[0])
    const { page, pageErrors } = await openBoard(proofing)
    await page.getByRole('button', { name: 'Export' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Color label names').selectOption('de')
    await dialog.getByLabel('Convert picks to').selectOption('5')
    await expectNoAxeFindings(page)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save' }).click(),
    ])
    expect(saved.suggestedFilename()).toMatch(/-picks-guests-\d+\.zip$/)
    const files = readArchiveFiles(await readFile(await saved.path()))
    expect([...files.keys()]).toEqual(['IMG_1.xmp', 'IMG_2.xmp'])
    expect(files.get('IMG_1.xmp')?.toString()).toContain('xmp:Rating="4" xmp:Label="Rot"')
    expect(files.get('IMG_2.xmp')?.toString()).toContain('xmp:Rating="5"/>')

    // Saves only what is new since the last export.
    await marks.favor(ana, ids[4])
    await page.getByRole('heading', { name: '3 photos picked' }).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    await dialog.getByLabel('Format').selectOption('csv')
    await dialog.getByLabel(/Only changes since/).check()
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save' }).click(),
    ])
    const rows = (await readFile(await table.path(), 'utf8')).trimEnd().split('\r\n').slice(1)
    expect(rows.map((row) => row.split(',')[0])).toEqual(['IMG_5.JPG'])
    expect(pageErrors).toEqual([])
  })
})

test('merges picks into sidecars that are dropped on the dialog, and says which are left out', async () => {
  const proofing = await openEvent()
  await proofing.marks.rate(proofing.ana, 4, proofing.ids[0])
  const { page, pageErrors } = await openBoard(proofing)
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog')
  const original = sidecarForms.lightroom({ rating: '1', label: 'Red' })
  const transfer = await page.evaluateHandle(
    ([text]) => {
      const data = new DataTransfer()
      for (const name of ['IMG_1.xmp', 'IMG_9.xmp', 'notes.txt']) data.items.add(new File([text ?? ''], name))
      return data
    },
    [original],
  )
  await dialog.locator('.sidecar-drop').dispatchEvent('drop', { dataTransfer: transfer })
  await dialog.getByRole('button', { name: '2 sidecars chosen' }).waitFor()
  await expectNoAxeFindings(page)
  await dialog.getByLabel('Convert picks to').selectOption('')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save' }).click(),
  ])
  const files = readArchiveFiles(await readFile(await saved.path()))
  expect(files.get('IMG_1.xmp')?.toString()).toBe(sidecarForms.lightroom({ rating: '4', label: 'Red' }))
  expect(files.get('NOT_MERGED.txt')?.toString()).toContain('IMG_9.xmp')
  const warning = page.locator('.notice.warning').getByText('1 sidecar was not merged')
  await warning.waitFor()
  await page.getByRole('link', { name: /^Comments/ }).click()
  await warning.waitFor({ state: 'detached' })
  expect(pageErrors).toEqual([])
})

describe('the comments inbox', () => {
  const commentsFor = async (client: TestClient, { event, ids }: FeedbackEvent): Promise<string[]> =>
    (await client.get(`/api/gallery/${event.slug}/photos/${ids[0]}/feedback`)).body.feedback.map(
      (comment: { comment_text: string }) => comment.comment_text,
    )

  test('shows a comment as text at once, and to guests after approval by keyboard', async () => {
    const proofing = await openEvent({ show_feedback_to_guests: true })
    const { page, pageErrors } = await openBoard(proofing, 'comments')
    await page.getByText('No comments yet').waitFor()
    await expectNoAxeFindings(page)
    await proofing.comment(proofing.ana, hostile)
    const card = page.getByRole('listitem').filter({ hasText: hostile })
    await card.waitFor()
    await card.getByText('Pending').waitFor()
    await page.getByRole('link', { name: 'Comments 1 pending' }).waitFor()
    expect(await commentsFor(proofing.ben, proofing)).toEqual([])
    await expectNoAxeFindings(page)

    const { press } = byKeyboard(page)
    // Delays the counts beside the list, because the list must change without them.
    const counted = Promise.withResolvers<void>()
    await page.route(/\/feedback\/events\/\d+\?.*limit=1(&|$)/, async (route) => {
      await counted.promise
      await route.continue().catch(() => undefined)
    })
    await press(card.getByRole('button', { name: 'Approve the comment by Ana' }))
    await card.getByText('Approved').waitFor()
    expect(await commentsFor(proofing.ben, proofing)).toEqual([hostile])

    await press(card.getByRole('button', { name: 'Hide the comment by Ana' }))
    await card.getByText('Hidden').waitFor()
    expect(await commentsFor(proofing.ben, proofing)).toEqual([])
    counted.resolve()
    await page.unrouteAll({ behavior: 'ignoreErrors' })

    await press(card.getByRole('button', { name: 'Delete the comment by Ana' }))
    const question = page.getByRole('alertdialog')
    await question.getByText('The comment on IMG_1.JPG is permanently deleted').waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await press(card.getByRole('button', { name: 'Delete the comment by Ana' }))
    await press(question.getByRole('button', { name: 'Delete comment' }))
    await card.waitFor({ state: 'detached' })
    expect(pageErrors).toEqual([])
  })

  test('shows a private note without a reload, and marks it as done', async () => {
    const proofing = await openEvent({ allow_notes: true })
    const { page, pageErrors } = await openBoard(proofing, 'comments')
    await page.getByText('No comments yet').waitFor()
    await proofing.ana.post(`/api/gallery/${proofing.event.slug}/notes`, { text: hostile, photo_id: proofing.ids[0] })
    await page.getByRole('list', { name: 'Notes to you' }).getByText(hostile).waitFor()
    await page.getByText('1 open').waitFor()
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: 'Mark as done: note by Ana' }).click()
    await page.getByText('No open notes.').waitFor()
    await page.getByRole('button', { name: 'Show done notes' }).click()
    await page.getByRole('button', { name: 'Mark as not done: note by Ana' }).click()
    await page.getByRole('button', { name: 'Hide done notes' }).click()
    await page.getByRole('button', { name: 'Mark as done: note by Ana' }).waitFor()
    expect(pageErrors).toEqual([])
  })

  test('labels guests without a name as the picks do, until they give one', async () => {
    const proofing = await openEvent()
    const unnamed = [await enterAsGuest(service, proofing.event), await enterAsGuest(service, proofing.event)] as const
    await proofing.marks.favor(unnamed[0], proofing.ids[0])
    await proofing.marks.favor(unnamed[1], proofing.ids[1])
    await proofing.comment(unnamed[1], 'By the second')
    await proofing.comment(proofing.ana, 'By Ana')
    const { page } = await openBoard(proofing, 'comments')
    const card = page.getByRole('listitem').filter({ hasText: 'By the second' })
    await card.getByText('Guest 2', { exact: true }).waitFor()
    await card.getByRole('button', { name: 'Approve the comment by Guest 2' }).waitFor()
    await page.getByRole('combobox', { name: 'Guest' }).selectOption({ label: 'Guest 2 (1)' })

    await unnamed[1].post(`/api/gallery/${proofing.event.slug}/guest`, { name: 'Dora' })
    await card.getByText('Dora', { exact: true }).waitFor()
  })

  test('approves all pending comments, and filters by state, guest and photo', async () => {
    const proofing = await openEvent({ show_feedback_to_guests: true })
    await proofing.comment(proofing.ana, 'The first')
    await proofing.comment(proofing.ben, 'The second')
    await proofing.comment(proofing.ben, 'Another photo', proofing.ids[1])
    const { page, pageErrors } = await openBoard(proofing, 'comments')
    const cards = page.getByRole('list', { name: 'Comments' }).getByRole('listitem')
    const shown = async (count: number) => expect.poll(() => cards.count()).toBe(count)
    await shown(3)
    await page.getByLabel('Guest').selectOption({ label: 'Ben (2)' })
    await shown(2)
    await cards.first().getByRole('button', { name: 'Show only comments on' }).click()
    await shown(1)
    await page.getByRole('button', { name: 'One photo' }).click()
    await page.getByRole('button', { name: 'Approve all 2' }).click()
    await page.getByText('2 comments approved.').waitFor()
    expect(await commentsFor(proofing.ana, proofing)).toEqual(['The first', 'The second'])
    await page.getByLabel('Guest').selectOption({ label: 'All guests' })
    await page.getByRole('button', { name: 'Pending 1' }).click()
    await shown(1)
    await cards.getByText('The first').waitFor()
    // The approval empties the filtered list.
    await page.getByRole('button', { name: 'Approve the comment by Ana' }).click()
    await page.getByText('No matching comments').waitFor()
    expect(pageErrors).toEqual([])
  })
})

test('both pages fit a dark phone, with right-to-left text and doubled text size', async () => {
  const proofing = await openEvent({ moderate_comments: false })
  await proofing.comment(await proofing.guest('يارا '.repeat(12)), `שלום ${'w'.repeat(300)}`)
  for (const part of ['picks', 'comments'] as const) {
    const { page, pageErrors } = await openAdminApp(`/events/${proofing.event.id}/${part}`, 'phone')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('.live-state', { hasText: 'Live' }).waitFor()
    await page
      .getByText(part === 'picks' ? 'IMG_1.JPG' : 'שלום')
      .first()
      .waitFor()
    await expectNoAxeFindings(page)
    expect(await measureSidewaysOverflow(page)).toBe(0)
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    expect(await measureSidewaysOverflow(page)).toBe(0)
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect(await measureSidewaysOverflow(page)).toBe(0)
    expect(pageErrors).toEqual([])
  }
})
