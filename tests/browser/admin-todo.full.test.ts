import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { adminAppForFile } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { measureSidewaysOverflow } from '../support/browser/guest-page.ts'
import { hasFocus } from '../support/browser/input-methods.ts'
import { createMarkableGallery } from '../support/fixtures/marks.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const adminApp = await adminAppForFile(service)

const box = { kind: 'box', x: 250_000, y: 500_000, w: 500_000, h: 250_000 }

/** Ana has marked a box and a pin on the first photo and written about the gallery. Comments wait for approval. */
async function openRequests() {
  const rules = { allow_notes: true, allow_annotations: true, moderate_comments: true, show_feedback_to_guests: true }
  const { event, ids, guests } = await createMarkableGallery(service, rules)
  const [ana, ben] = guests
  const gallery = (rest: string) => `/api/gallery/${event.slug}${rest}`
  const start = (body: object) => ana.post(gallery(`/photos/${ids[0]}/threads`), { guest_name: 'Ana', ...body })
  await start({ ...box, text: 'Remove the sign' })
  await start({ kind: 'pin', x: 100_000, y: 900_000, text: 'Brighter here' })
  await ana.post(gallery('/notes'), { text: '<b>When</b> is the album ready?' })
  return { event, ids, ana, ben, gallery, path: `/events/${event.id}/todo` }
}

const isNew = (thread: Locator) => thread.getByText('New', { exact: true }).count()
const threadOf = (page: Page, text: string) => page.locator('.thread', { hasText: text })

/** Returns where the first box lies on its picture, in percent. */
const measureBox = (page: Page) =>
  page
    .locator('.marked-picture')
    .first()
    .evaluate(async (picture) => {
      const image = picture.querySelector('img') as HTMLImageElement
      await image.decode()
      const all = image.getBoundingClientRect()
      const { left, top, width, height } = (picture.querySelector('.picture-box') as Element).getBoundingClientRect()
      return [(left - all.left) / all.width, (top - all.top) / all.height, width / all.width, height / all.height].map(
        (part) => Math.round(100 * part),
      )
    })

test('by keyboard, requests are read, answered and settled, and new ones appear', async () => {
  const { event, ids, ana, ben, gallery, path } = await openRequests()
  const { page, pageErrors } = await adminApp.open(path)
  await page.getByRole('link', { name: 'To do 3 pending' }).waitFor()
  expect(await page.locator('.thread-text').allTextContents()).toEqual([
    'Remove the sign',
    'Brighter here',
    '<b>When</b> is the album ready?',
  ])
  expect(await measureBox(page)).toEqual([25, 50, 50, 25])
  await expectNoAxeFindings(page)

  const [sign, brighter] = [threadOf(page, 'Remove the sign'), threadOf(page, 'Brighter here')]
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  expect(await hasFocus(brighter)).toBe(true)
  await page.keyboard.press('k')
  expect(await hasFocus(sign)).toBe(true)
  await page.keyboard.press('Enter')
  await page.keyboard.type('Just joked it away')
  await page.keyboard.press('Control+Enter')
  await sign.locator('.thread-answers').getByText('Just joked it away').waitFor()
  expect([await isNew(sign), await isNew(brighter)]).toEqual([0, 1])
  expect(await hasFocus(sign)).toBe(true)
  const { threads } = (await ana.get(gallery(`/photos/${ids[0]}/threads`))).body
  expect(threads[0]).toMatchObject({ state: 'open', messages: [{ by: 'operator', text: 'Just joked it away' }] })
  await ana.post(gallery(`/threads/${threads[0].id}/messages`), { text: 'Not quite' })
  await sign.locator('.thread-head').getByText('Answered by Ana', { exact: true }).waitFor()
  await page.keyboard.press('e')
  await sign.waitFor({ state: 'detached' })
  expect(await hasFocus(brighter)).toBe(true)
  await page.getByRole('link', { name: 'To do 2 pending' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await sign.waitFor()
  await sign.focus()
  await page.keyboard.press('r')
  await page.keyboard.type('Sign is gone')
  await page.keyboard.press('Control+Shift+Enter')
  await sign.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'To do 2 pending' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Mark as done, or open again').waitFor()
  await page.keyboard.press('Escape')

  // A comment and its answer wait for approval.
  await ben.post(gallery(`/photos/${ids[1]}/feedback`), { feedback_type: 'comment', comment_text: 'Group photo?' })
  const comment = threadOf(page, 'Group photo?')
  await comment.getByRole('button', { name: 'Show to guests' }).click()
  await comment.getByText('Not visible to other guests').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'To do 3 pending' }).waitFor()
  const { id } = (await ana.get(gallery(`/photos/${ids[1]}/threads`))).body.threads[0]
  await ana.post(gallery(`/threads/${id}/messages`), { text: 'Yes, please' })
  await comment.locator('.thread-answers').getByRole('button', { name: 'Show to guests' }).click()
  await comment.getByRole('button', { name: 'Hide' }).waitFor()
  expect((await ben.get(gallery(`/threads/${id}`))).body.messages).toMatchObject([{ text: 'Yes, please' }])

  await page.getByLabel('Kind').selectOption('Pins')
  await comment.waitFor({ state: 'detached' })
  expect(await page.locator('.thread').count()).toBe(1)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV of this list' }).click()
  expect((await saved).suggestedFilename()).toBe(`${event.slug}-threads.csv`)
  expect(pageErrors).toEqual([])
})

test('on paper, the boxes are on the photos, and on a phone requests are answered', async () => {
  const { event, ids, path } = await openRequests()
  const { page, visit, pageErrors } = await adminApp.open(path, { device: 'phone' })
  expect(await measureSidewaysOverflow(page)).toBe(0)
  await expectNoAxeFindings(page)
  const brighter = threadOf(page, 'Brighter here')
  await brighter.getByRole('button', { name: 'Answer Ana' }).tap()
  await brighter.getByRole('textbox').fill('Done')
  await brighter.getByRole('button', { name: 'Send and done' }).tap()
  await brighter.waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'Print' }).tap()
  await page.getByText('2 open requests').waitFor()
  await page.getByText('Filter: Open', { exact: true }).waitFor()
  await expectNoAxeFindings(page)
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
  expect(await measureBox(page)).toEqual([25, 50, 50, 25])
  await page.emulateMedia({ media: 'screen' })

  // The viewer of photos draws the box too, with a link to the list.
  await page.goto(`${service.url}/admin/events/${event.id}?photo=${ids[0]}`)
  await page.getByRole('dialog').getByRole('link', { name: '1: Remove the sign' }).tap()
  await page.getByRole('button', { name: 'One photo' }).tap()
  await threadOf(page, 'album').waitFor()
  await visit(`${path}?state=done`)
  await brighter.getByText('Done', { exact: true }).first().waitFor()
  await brighter.getByRole('button', { name: 'Open again' }).tap()
  await page.getByText('Nothing is done yet').waitFor()
  expect(pageErrors).toEqual([])
})

test('the empty page turns on pins and boxes', async () => {
  const { event } = await createMarkableGallery(service, { allow_notes: true })
  const { page, pageErrors } = await adminApp.open(`/events/${event.id}/todo`)
  await page.getByText("Guests can't point at places in photos yet.").waitFor()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Turn on pins and boxes' }).click()
  await page.getByText('Guests can now put pins and boxes on photos.').waitFor()
  await page.getByRole('button', { name: 'Turn on pins and boxes' }).waitFor({ state: 'detached' })
  expect((await service.admin.get(`/api/admin/events/${event.id}`)).body).toMatchObject({ allow_annotations: true })
  expect(pageErrors).toEqual([])
})
