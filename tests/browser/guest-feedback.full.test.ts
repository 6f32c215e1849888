import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import {
  chooseFromMenu,
  chromiumForFile,
  measureSidewaysOverflow,
  waitForScript,
} from '../support/browser/guest-page.ts'
import { byKeyboard, hasFocus, tabTo } from '../support/browser/input-methods.ts'
import { sendNow } from '../support/browser/send-now.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const { api } = service
const guests = await chromiumForFile()

const hostile = '<img src=x onerror=alert(1)> \u202Ereversed 😀'
const veryLong = 'w'.repeat(400)

async function eventWithPhotos(body = {}): Promise<{ event: TestEvent; ids: number[] }> {
  const event = await createEvent(api, { show_feedback_to_guests: true, moderate_comments: false, ...body })
  return { event, ids: await uploadPhotos(api, event.id, 5) }
}

async function openPage({ share_url }: TestEvent, device: 'phone' | 'desktop', path = '') {
  // Phones use the light color scheme here, desktops the dark one.
  const colorScheme = device === 'phone' ? 'light' : 'dark'
  const { page, pageErrors } = await guests.open(share_url + path, device, { colorScheme })
  await waitForScript(page)
  return { page, pageErrors, dialog: page.locator('dialog[open]') }
}

const press = (page: Page, target: Locator): Promise<void> => byKeyboard(page).press(target)

const waitUntilDetached = (dialog: Locator) => dialog.waitFor({ state: 'detached' })
const pickButton = (page: Page, number: number) => page.getByRole('button', { name: `Pick Photo ${number} of 5` })

const loadSelections = async ({ id }: TestEvent) =>
  (await service.admin.get(`/api/admin/events/${id}/selections`)).body.selections
const loadComments = async (event: TestEvent, photoId: number) => {
  const guest = await enterAsGuest(service, event)
  return (await guest.get(`/api/gallery/${event.slug}/photos/${photoId}/feedback?limit=100`)).body.feedback
}

describe('a guest on a phone, by touch', () => {
  test('gives a name at the first pick, sends the picks, and sees whether they have changed since', async () => {
    const { event, ids } = await eventWithPhotos({ require_guest_name: true })
    const { page, pageErrors, dialog } = await openPage(event, 'phone')
    await page.getByText('No picks yet').waitFor()
    await pickButton(page, 1).tap()
    await dialog.getByLabel('Name').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).tap()
    await waitUntilDetached(dialog)
    expect(await pickButton(page, 1).getAttribute('aria-pressed')).toBe('false')

    await pickButton(page, 1).tap()
    await dialog.getByRole('button', { name: 'Save' }).tap()
    await dialog.getByText('Enter your name.').waitFor()
    await expectNoAxeFindings(page)
    await dialog.getByLabel('Name').fill('Ana <b>Ω</b>')
    await dialog.getByLabel('Email').fill('ana@example.com')
    await dialog.getByRole('button', { name: 'Save' }).tap()
    await waitUntilDetached(dialog)
    await pickButton(page, 3).tap()
    expect(await pickButton(page, 1).getAttribute('aria-pressed')).toBe('true')

    await page.getByRole('link', { name: '2 picks' }).tap()
    await page.getByRole('img', { name: 'Photo 2 of 2' }).waitFor()
    expect(page.url()).toContain('filter=favorited')
    await page.getByRole('link', { name: 'All', exact: true }).tap()
    const note = page.locator('.sent-note')
    expect(await note.count()).toBe(0)
    const send = async (number: number, name: string, expected: string, count: number) => {
      await page.getByRole('button', { name, exact: true }).tap()
      await dialog.getByText(expected).waitFor()
      expect(await dialog.getByLabel('Name').count()).toBe(0)
      await dialog.getByLabel('Message').fill(`Thank you ${number} 😀`)
      await expectNoAxeFindings(page)
      await dialog.getByRole('button', { name: 'Send my picks' }).tap()
      await waitUntilDetached(dialog)
      await sendNow(page)
      await page.getByText(`Selection ${number} sent: ${count} photos.`).waitFor()
    }
    await send(1, 'Send to photographer', '2 photos will be sent to your photographer.', 2)
    const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' }).format(new Date())
    const [same, different] = [`Sent on ${day} · change and send again`, `Changed since you sent them on ${day}`]
    await expect.poll(() => note.allInnerTexts()).toEqual([same])

    await pickButton(page, 4).tap()
    await expect.poll(() => note.innerText()).toBe(different)
    // A pick that is undone does not count as a change.
    await pickButton(page, 4).tap()
    await expect.poll(() => note.innerText()).toBe(same)
    await pickButton(page, 2).tap()
    await expect.poll(() => note.innerText()).toBe(different)
    await expect
      .poll(async () => (await api.get(`/api/v1/events/${event.id}/photos/${ids[3]}`)).body.favorite_count)
      .toBe(1)
    await page.reload()
    await waitForScript(page)
    expect(await note.innerText()).toBe(different)
    expect(await measureSidewaysOverflow(page)).toBe(0)
    await send(2, 'Send again to photographer', `Your picks have changed since you sent 2 photos on ${day}.`, 3)
    await expect.poll(() => note.innerText()).toBe(same)
    const guest = { name: 'Ana <b>Ω</b>', email: 'ana@example.com' }
    expect(await loadSelections(event)).toMatchObject([
      { number: 2, guest, photo_ids: [ids[2], ids[3], ids[4]], note: 'Thank you 2 😀' },
      { number: 1, guest, photo_ids: [ids[2], ids[4]], note: 'Thank you 1 😀' },
    ])
    expect(pageErrors).toEqual([])
  })

  test('may give an optional name with the picks, and is not asked again', { tags: 'nightly' }, async () => {
    const { event } = await eventWithPhotos()
    const { page, dialog } = await openPage(event, 'phone')
    await pickButton(page, 1).tap()
    await page.getByRole('button', { name: 'Send to photographer' }).tap()
    await dialog.getByLabel('Name (optional)').fill('Zoë')
    await dialog.getByLabel('Email').fill('nobody')
    const send = async () => {
      await dialog.getByRole('button', { name: 'Send my picks' }).tap()
      await sendNow(page)
    }
    await send()
    await dialog.getByText('Enter a valid email address.').waitFor()
    expect(await dialog.getByLabel('Name (optional)').inputValue()).toBe('')
    await dialog.getByLabel('Name (optional)').fill('Zoë')
    await dialog.getByLabel('Email').fill('')
    await api.patch(`/api/v1/events/${event.id}`, { feedback_enabled: false })
    await send()
    await page.getByText('Your photographer has turned off comments and picks in this gallery.').waitFor()
    await api.patch(`/api/v1/events/${event.id}`, { feedback_enabled: true })
    await page.getByRole('button', { name: 'Send to photographer' }).tap()
    await dialog.getByLabel('Name (optional)').fill('Zoë')
    await send()
    await page.getByText('Selection 1 sent: 1 photo.').waitFor()
    await page.getByRole('button', { name: 'Send again to photographer' }).tap()
    await dialog.getByLabel('Message').waitFor()
    expect(await dialog.getByLabel('Name').count()).toBe(0)
    expect(await loadSelections(event)).toMatchObject([{ number: 1, guest: { name: 'Zoë', email: null } }])
  })

  test('keeps a comment through a lost connection, and it arrives once', async () => {
    const { event, ids } = await eventWithPhotos()
    const { page, dialog } = await openPage(event, 'phone')
    const comment = page.getByRole('button', { name: /^Comment/ })
    const field = dialog.getByLabel('Write a comment')
    const send = dialog.getByRole('button', { name: 'Send' })
    const loaded = page.waitForResponse('**/comments-*.js')
    await page.locator(`[data-photo="${ids[0]}"]`).tap()
    await (await loaded).finished()
    await comment.waitFor()
    await page.context().setOffline(true)
    await comment.tap()
    await dialog.getByText('Earlier comments need a connection.').waitFor()
    expect(await dialog.getByRole('alert').count()).toBe(1)
    // The keyboard of the phone would cover the comments.
    expect(await hasFocus(field)).toBe(false)
    await field.fill(`${hostile} ${veryLong}`)
    await send.tap()
    await dialog.getByText('Your comment stays here').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).tap()
    await waitUntilDetached(dialog)
    await page.context().setOffline(false)

    await comment.tap()
    expect(await field.inputValue()).toBe(`${hostile} ${veryLong}`)
    await dialog.getByText('No comments yet.').waitFor()
    // The request arrives, but its response is lost.
    await page.route(
      '**/feedback',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await send.tap()
    await dialog.getByText('Your comment stays here').waitFor()
    await send.tap()
    await dialog.getByText('Comment sent.').waitFor()
    expect(await measureSidewaysOverflow(page)).toBe(0)
    await expectNoAxeFindings(page)
    expect(await loadComments(event, ids[0] ?? 0)).toMatchObject([{ comment_text: `${hostile} ${veryLong}` }])
  })
})

describe('a guest on a desktop, by keyboard alone', () => {
  test('reads the comments of others, writes a comment and deletes it', { tags: 'nightly' }, async () => {
    const { event, ids } = await eventWithPhotos()
    const photoId = ids[0] ?? 0
    const path = `/api/gallery/${event.slug}/photos/${photoId}/feedback`
    const other = await enterAsGuest(service, event)
    await other.post(`/api/gallery/${event.slug}/guest`, { name: `<i>${hostile}</i>` })
    for (let number = 1; number <= 50; number++) {
      await other.post(path, { feedback_type: 'comment', comment_text: `Comment ${number}` })
    }
    await other.post(path, { feedback_type: 'comment', comment_text: hostile })

    const { page, pageErrors, dialog } = await openPage(event, 'desktop')
    await press(page, page.locator(`[data-photo="${photoId}"]`))
    const comment = page.getByRole('button', { name: /^Comment/ })
    await comment.waitFor()
    await press(page, comment)
    const field = dialog.getByLabel('Write a comment')
    await expect.poll(() => hasFocus(field)).toBe(true)
    // The service removes characters that change the text direction from names.
    await dialog
      .getByText(`<i>${hostile.replace('\u202E', '')}</i>`, { exact: true })
      .first()
      .waitFor()
    await dialog.getByText(hostile, { exact: true }).waitFor()
    expect(await dialog.getByRole('listitem').count()).toBe(51)
    await expectNoAxeFindings(page)

    await tabTo(page, field)
    await page.keyboard.insertText('p'.repeat(950))
    await dialog.getByText('50 characters left').waitFor()
    await page.keyboard.insertText('p'.repeat(60))
    await dialog.getByText('10 characters too many').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Lovely, this one! 6789')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Comment sent.').waitFor()
    expect((await loadComments(event, photoId)).at(-1)).toMatchObject({ comment_text: 'Lovely, this one! 6789' })

    await press(page, dialog.getByRole('button', { name: 'Remove my comment' }))
    await page.keyboard.press('Enter')
    await dialog.getByText('Comment removed.').waitFor()
    expect(await loadComments(event, photoId)).toHaveLength(51)

    await page.keyboard.press('Escape')
    await waitUntilDetached(dialog)
    await expect.poll(() => hasFocus(comment)).toBe(true)
    // Typed text did not trigger shortcuts of the photo.
    expect((await api.get(`/api/v1/events/${event.id}/photos/${photoId}`)).body).toMatchObject({
      color_labels: {},
      favorite_count: 0,
      comment_count: 51,
    })
    expect(pageErrors).toEqual([])
  })

  test('sees that a comment waits for approval, who reads it, and writes a private note', {
    tags: 'nightly',
  }, async () => {
    const { event, ids } = await eventWithPhotos({ moderate_comments: true, allow_notes: true })
    const { page, dialog } = await openPage(event, 'desktop')
    await press(page, page.locator(`[data-photo="${ids[1]}"]`))
    const comment = page.getByRole('button', { name: /^Comment/ })
    await comment.waitFor()
    await press(page, comment)
    await dialog.getByText("Others can see your comment once it's approved.").waitFor()
    await tabTo(page, dialog.getByLabel('Write a comment'))
    await page.keyboard.type('For you alone')
    await press(page, dialog.getByRole('button', { name: 'Send' }))
    await dialog.getByText("Only you and your photographer see it until it's approved").waitFor()
    expect(await loadComments(event, ids[1] ?? 0)).toEqual([])

    await tabTo(page, dialog.getByRole('radio', { name: 'Comment', exact: true }))
    await page.keyboard.press('ArrowDown')
    await dialog.getByText('Only your photographer can read this.').waitFor()
    await tabTo(page, dialog.getByLabel('Write a note'))
    await page.keyboard.type('Please retouch the sky')
    await page.keyboard.press('Escape')
    await waitUntilDetached(dialog)
    await page.keyboard.press('Enter')
    await expect.poll(() => hasFocus(dialog.getByLabel('Write a note'))).toBe(true)
    expect(await dialog.getByLabel('Write a note').inputValue()).toBe('Please retouch the sky')
    await press(page, dialog.getByRole('button', { name: 'Send' }))
    const own = dialog.getByRole('listitem').filter({ hasText: 'Note to the photographer (private)' })
    await own.getByText('Please retouch the sky').waitFor()
    await expectNoAxeFindings(page)
    const { notes } = (await service.admin.get(`/api/admin/feedback/events/${event.id}/notes`)).body
    expect(notes).toMatchObject([{ text: 'Please retouch the sky', photo_id: ids[1], status: 'open' }])
    await press(page, own.getByRole('button', { name: 'Remove my note' }))
    await page.keyboard.press('Enter')
    await dialog.getByText('Note removed.').waitFor()

    await page.goto(event.share_url)
    await waitForScript(page)
    await chooseFromMenu(page, 'Note to the photographer')
    await dialog.getByLabel('Write a note').fill('About all photos')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Note saved for your photographer.').waitFor()
    await dialog.getByRole('listitem').getByText('About all photos').waitFor()
  })

  test('finds all other actions in the menu, whose dialogs return the focus', { tags: 'nightly' }, async () => {
    const { event } = await eventWithPhotos({ event_name: 'Ana & Ben' })
    const { page, pageErrors, dialog } = await openPage(event, 'desktop', '?search=photo')
    const menu = page.getByRole('button', { name: 'More', exact: true })
    const choose = async (name: string) => {
      await press(page, menu)
      await press(page, page.locator('#menu').getByRole('button', { name }))
      await dialog.waitFor()
      await expectNoAxeFindings(page)
    }
    const leave = async () => {
      await page.keyboard.press('Escape')
      await waitUntilDetached(dialog)
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('More')
    }
    await choose('Share')
    expect(await dialog.getByRole('textbox', { name: 'Link' }).inputValue()).toBe(`${event.share_url}?search=photo`)
    await tabTo(page, dialog.getByLabel('Current view'))
    await page.keyboard.press('ArrowDown')
    expect(await dialog.getByRole('textbox', { name: 'Link' }).inputValue()).toBe(event.share_url)
    await dialog.getByRole('img', { name: 'QR code for the link' }).waitFor()
    await leave()

    await choose('Your name and email')
    await page.keyboard.type('Ana')
    await page.keyboard.press('Enter')
    await waitUntilDetached(dialog)

    await choose('Continue on another device')
    const { page: other } = await guests.open(await dialog.getByRole('textbox', { name: 'Link' }).inputValue(), 'phone')
    await other.getByRole('button', { name: 'Continue on this device' }).tap()
    await waitForScript(other)
    await chooseFromMenu(other, 'Your name and email')
    expect(await other.getByLabel('Name', { exact: true }).inputValue()).toBe('Ana')
    await other.keyboard.press('Escape')
    await chooseFromMenu(other, 'Share')
    // The address of this page has no token, so it would not work for others.
    expect(await other.getByRole('textbox', { name: 'Link' }).inputValue()).toBe(event.share_url)
    await leave()

    await choose('Keyboard shortcuts')
    await tabTo(page, dialog.getByLabel('Use single-key shortcuts'))
    await page.keyboard.press('Space')
    await leave()
    await page.keyboard.press('?')
    expect(await dialog.count()).toBe(0)

    await press(page, menu)
    await press(page, page.locator('#menu').getByRole('link', { name: 'Deutsch' }))
    await page.locator('html[lang=de].scripted').waitFor()
    expect(page.url()).toBe(`${event.share_url}?search=photo`)
    expect(pageErrors).toEqual([])
  })
})
