import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAdminApp } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, waitForScript } from '../support/browser/guest-page.ts'
import { byKeyboard } from '../support/browser/input-methods.ts'
import { sendNow } from '../support/browser/send-now.ts'
import type { TestClient } from '../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../support/fixtures/events.ts'
import { createMarking } from '../support/fixtures/marks.ts'
import { jpeg } from '../support/media/pictures.ts'
import { readArchiveFiles } from '../support/media/read-archive.ts'
import { sidecarForms } from '../support/media/sidecar-forms.ts'
import { startTcpProxy } from '../support/network/tcp-proxy.ts'
import { serviceForFile } from '../support/service/test-service.ts'

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

async function openBoard({ event }: { event: TestEvent }, part: 'picks' | 'comments' = 'picks', origin = service.url) {
  const board = await openAdminApp(browsers, origin, `/events/${event.id}/${part}`)
  await board.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await board.page.locator('.live-state', { hasText: 'Live' }).waitFor()
  return { ...board, dialog: board.page.getByRole('dialog') }
}

const tiles = (page: Page) => page.getByRole('list', { name: 'Picks' }).getByRole('link')
const names = (page: Page) => tiles(page).locator('.pick-name').allTextContents()
const guestButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: guestButton(page, name) })
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function save(dialog: Locator): Promise<{ name: string; bytes: Buffer }> {
  const saved = dialog.page().waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save' }).click()
  return { name: (await saved).suggestedFilename(), bytes: await readFile(await (await saved).path()) }
}

describe('the picks board', () => {
  test('shows picks, guest names and submitted selections of the gallery without a reload', {
    tags: 'nightly',
  }, async () => {
    const { event } = await openEvent()
    const { page, pageErrors } = await openBoard({ event })
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    expect(await names(page)).toEqual(['IMG_1.JPG', 'IMG_2.JPG'])
    const visit = await browsers.open(event.share_url, 'phone')
    await waitForScript(visit.page, true)
    // The newest photo comes first.
    const heart = visit.page.getByRole('button', { name: 'Pick Photo 2 of 5' })
    await heart.tap()
    await page.getByRole('link', { name: /^IMG_4\.JPG picked by Guest 1$/ }).waitFor()
    await page.getByRole('heading', { name: '3 photos picked' }).waitFor()
    await page.getByRole('status').getByText('A guest picked IMG_4.JPG').waitFor()
    await rowOf(page, 'Guest 1').getByText('Not yet').waitFor()
    await heart.tap()
    await page.getByRole('heading', { name: '2 photos picked' }).waitFor()
    await heart.tap()
    await page.getByRole('heading', { name: '3 photos picked' }).waitFor()

    await visit.page.getByRole('button', { name: 'Send to photographer' }).tap()
    const dialog = visit.page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Cleo')
    await dialog.getByLabel('Message').fill('For the wall')
    await dialog.getByRole('button', { name: 'Send my picks' }).tap()
    await sendNow(visit.page)
    await rowOf(page, 'Cleo').getByText('1 photo').waitFor()
    await rowOf(page, 'Cleo').getByText('For the wall').waitFor()
    await guestButton(page, 'Guest 1').waitFor({ state: 'detached' })
    await page.locator('.live-last', { hasText: 'Cleo submitted 1 pick' }).waitFor()
    await page.getByRole('status').getByText('Cleo submitted 1 pick').waitFor()
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
    await expectNoAxeFindings(page)
    expect([pageErrors, visit.pageErrors]).toEqual([[], []])
  })

  test('shows who has submitted what, what has changed since, and earlier selections', {
    tags: 'nightly',
  }, async () => {
    const { event, ana, marks, ids } = await openEvent()
    await ana.post(`/api/gallery/${event.slug}/selection`, { note: 'Please retouch these' })
    await marks.favor(ana, ids[2])
    await ana.post(`/api/gallery/${event.slug}/selection`, {})
    const { page, dialog, pageErrors } = await openBoard({ event })
    const row = rowOf(page, 'Ana')
    await row.getByText('3 photos').waitFor()
    await rowOf(page, 'Ben').getByText('Not yet').waitFor()
    await row.getByText('Message with no. 1:').waitFor()
    expect(await row.getByText('Please retouch these').first().isVisible()).toBe(true)
    await row.getByText('1 earlier selection').click()
    await row.getByText('No. 1: 2 photos').waitFor()
    await expectNoAxeFindings(page)
    await marks.favor(ana, ids[4])
    await row.getByText('1 changed since').waitFor()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const sets = dialog.getByLabel('Photos', { exact: true }).locator('option')
    expect(await sets.allTextContents()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Submitted by Ana on .* \(3 photos\)$/),
        expect.stringMatching(/^Earlier selection by Ana, .* \(2 photos\)$/),
      ]),
    )
    expect(pageErrors).toEqual([])
  })

  test('continues after a lost connection, with the missed events', { tags: 'nightly' }, async () => {
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

  test('shows by keyboard the picks of both guests and those of one, and copies them', {
    tags: 'nightly',
  }, async () => {
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
    await page.getByRole('button', { name: 'Copy for another app' }).click()
    await page.getByRole('menuitem', { name: 'Copy for Capture One' }).click()
    await page.getByText('1 file name copied').waitFor()
    expect(await clipboard(page)).toBe('IMG_2')

    // The address keeps the choice, and the browser remembers the program.
    await page.reload()
    await page.getByRole('heading', { name: /1 photo picked together by/ }).waitFor()
    await page.getByRole('button', { name: 'Copy for Capture One' }).waitFor()
    expect(pageErrors).toEqual([])
  })

  test('gives a guest a personal link, merges two guests, and erases a guest', { tags: 'nightly' }, async () => {
    const { event, ana } = await openEvent()
    expect((await ana.post(`/api/gallery/${event.slug}/selection`, { note: 'For the wall' })).status).toBe(200)
    const { page, dialog } = await openBoard({ event })
    await page.getByRole('button', { name: 'More for Ben' }).click()
    await page.getByRole('menuitem', { name: 'Personal link' }).click()
    await expectNoAxeFindings(page)
    const link = await dialog.locator('.personal-link').textContent()
    expect(link).toMatch(new RegExp(`^${service.url}/gallery/${event.slug}/continue/[\\w-]{43}$`))
    await dialog.getByRole('button', { name: 'Copy' }).click()
    expect(await clipboard(page)).toBe(link)
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
  })

  test('copies a list of names, warns of spaces in them, and says what has changed since', {
    tags: 'nightly',
  }, async () => {
    const { event, marks, ana, ben, ids } = await openEvent()
    const { page, pageErrors } = await openBoard({ event })
    const warning = page.getByText(/^1 file name contains spaces/)
    await page.getByRole('button', { name: 'Copy for Lightroom' }).click()
    await page.getByText('2 file names copied').waitFor()
    expect(await clipboard(page)).toBe('IMG_1 IMG_2')
    await page.getByText('Text › Filename › Contains').waitFor()
    await page.getByText(/Last export on .*: 2 photos\./).waitFor()
    await page.getByText('No changes since then.').waitFor()
    expect(await page.getByText(/file names? contains? spaces/).count()).toBe(0)

    const { id } = (await api.upload(event.id, await jpeg({ seed: 6 }), { name: 'fin de journée.jpg' })).body
    await marks.favor(ben, id)
    await marks.favor(ana, ids[0])
    await page.getByText('Since then: 1 photo was added, 1 photo is no longer picked.').waitFor()
    await page.getByText(/^1 file name contains spaces\..* XMP sidecars/).waitFor()
    await expectNoAxeFindings(page)
    // Ana has not picked that photo, so there is no warning.
    await guestButton(page, 'Ana').click()
    await warning.waitFor({ state: 'detached' })
    await guestButton(page, 'Ana').click()
    await warning.waitFor()
    // The list for Capture One has one name per line.
    await page.getByRole('button', { name: 'Copy for another app' }).click()
    await page.getByRole('menuitem', { name: 'Copy for Capture One' }).click()
    await warning.waitFor({ state: 'detached' })
    await expect.poll(() => clipboard(page)).toContain('fin de journée')
    expect(pageErrors).toEqual([])
  })

  test('exports sidecars, only what is new, own ratings on request, and merges sidecars that are dropped', {
    tags: 'nightly',
  }, async () => {
    const { event, marks, ana, ids } = await openEvent()
    await marks.rate(ana, 4, ids[0])
    await marks.label(ana, 'red', ids[0])
    await marks.mark(admin, { rating: 3 }, ids[4])
    const { page, dialog, pageErrors } = await openBoard({ event })
    const openExport = () => page.getByRole('button', { name: 'Export' }).click()
    await openExport()
    await dialog.getByLabel('Color label names').selectOption('de')
    expect(await dialog.getByLabel('Convert picks to').inputValue()).toBe('5')
    await expectNoAxeFindings(page)
    const sidecars = await save(dialog)
    expect(sidecars.name).toMatch(/-picks-guests-\d+\.zip$/)
    const files = readArchiveFiles(sidecars.bytes)
    expect([...files.keys()]).toEqual(['IMG_1.xmp', 'IMG_2.xmp'])
    expect(files.get('IMG_1.xmp')?.toString()).toContain('xmp:Rating="4" xmp:Label="Rot"')
    expect(files.get('IMG_2.xmp')?.toString()).toContain('xmp:Rating="5"/>')

    await marks.favor(ana, ids[4])
    await page.getByRole('heading', { name: '3 photos picked' }).waitFor()
    await openExport()
    await dialog.getByLabel('Format').selectOption('csv')
    await dialog.getByLabel(/Only changes since/).check()
    await dialog.getByText('of all guests together.').waitFor()
    const changes = (await save(dialog)).bytes.toString().trimEnd().split('\r\n').slice(1)
    expect(changes).toEqual([expect.stringMatching(/^IMG_5\.JPG,Ana,,/)])
    await openExport()
    await dialog.getByLabel('Format').selectOption('csv')
    await dialog.getByLabel('Include my own ratings').check()
    await dialog.getByText('of all guests together, merged with yours').waitFor()
    expect((await save(dialog)).bytes.toString()).toContain('\r\nIMG_5.JPG,Ana,3,')

    await openExport()
    await dialog.getByLabel('Format').selectOption('xmp')
    const transfer = await page.evaluateHandle(
      (text) => {
        const data = new DataTransfer()
        for (const name of ['IMG_1.xmp', 'IMG_9.xmp', 'notes.txt']) data.items.add(new File([text], name))
        return data
      },
      sidecarForms.lightroom({ rating: '1', label: 'Red' }),
    )
    await dialog.locator('.sidecar-drop').dispatchEvent('drop', { dataTransfer: transfer })
    await dialog.getByRole('button', { name: '2 sidecars chosen' }).waitFor()
    await expectNoAxeFindings(page)
    await dialog.getByLabel('Convert picks to').selectOption('')
    const merged = readArchiveFiles((await save(dialog)).bytes)
    expect(merged.get('IMG_1.xmp')?.toString()).toBe(sidecarForms.lightroom({ rating: '4', label: 'Rot' }))
    expect(merged.get('NOT_MERGED.txt')?.toString()).toContain('IMG_9.xmp')
    const warning = page.locator('.notice.warning').getByText('1 sidecar was not merged')
    await warning.waitFor()
    await page.getByRole('link', { name: /^Comments/ }).click()
    await warning.waitFor({ state: 'detached' })
    expect(pageErrors).toEqual([])
  })
})

describe('the comments inbox', () => {
  const commentsFor = async (client: TestClient, { event, ids }: FeedbackEvent): Promise<string[]> =>
    (await client.get(`/api/gallery/${event.slug}/photos/${ids[0]}/feedback`)).body.feedback.map(
      (comment: { comment_text: string }) => comment.comment_text,
    )

  test('shows comments at once as text, and to guests after approval by keyboard', async () => {
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

  test('filters by state, guest and photo, approves all pending comments, and labels guests without a name', {
    tags: 'nightly',
  }, async () => {
    const proofing = await openEvent({ show_feedback_to_guests: true })
    const unnamed = [await enterAsGuest(service, proofing.event), await enterAsGuest(service, proofing.event)] as const
    await proofing.marks.favor(unnamed[0], proofing.ids[0])
    await proofing.marks.favor(unnamed[1], proofing.ids[1])
    await proofing.comment(proofing.ana, 'The first')
    await proofing.comment(unnamed[1], 'The second')
    await proofing.comment(unnamed[1], 'Another photo', proofing.ids[1])
    const { page, pageErrors } = await openBoard(proofing, 'comments')
    const cards = page.getByRole('list', { name: 'Comments' }).getByRole('listitem')
    const shown = async (count: number) => expect.poll(() => cards.count()).toBe(count)
    await shown(3)
    // The same label as in the picks.
    await page.getByRole('combobox', { name: 'Guest' }).selectOption({ label: 'Guest 2 (2)' })
    await shown(2)
    await cards.first().getByRole('button', { name: 'Show only comments on' }).click()
    await shown(1)
    await page.getByRole('button', { name: 'One photo' }).click()
    await page.getByRole('button', { name: 'Approve all 2' }).click()
    await page.getByText('2 comments approved.').waitFor()
    expect(await commentsFor(proofing.ana, proofing)).toEqual(['The first', 'The second'])
    await unnamed[1].post(`/api/gallery/${proofing.event.slug}/guest`, { name: 'Dora' })
    await cards.first().getByText('Dora', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Guest' }).selectOption({ label: 'All guests' })
    await page.getByRole('button', { name: 'Pending 1' }).click()
    await shown(1)
    await cards.getByText('The first').waitFor()
    // The approval empties the filtered list.
    await page.getByRole('button', { name: 'Approve the comment by Ana' }).click()
    await page.getByText('No matching comments').waitFor()
    expect(pageErrors).toEqual([])
  })
})
