import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openAdminApp, signInBrowser, withoutResponses } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { byKeyboard, hasFocus, tabTo } from '../support/browser/input-methods.ts'
import { createAccount } from '../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const browsers = await chromiumForFile()

const loadEvent = async ({ id }: { id: number }) => (await service.admin.get(`/api/admin/events/${id}`)).body
const countEvents = async (search: string): Promise<number> =>
  (await service.admin.get(`/api/admin/events?search=${search}`)).body.events.length

async function chooseByKeyboard(page: Page, menu: string, item: string): Promise<void> {
  await byKeyboard(page).press(page.getByRole('button', { name: menu, exact: true }))
  const wanted = page.getByRole('menuitem', { name: item, exact: true })
  await wanted.waitFor()
  for (let presses = 0; presses < 20; presses++) {
    if (await hasFocus(wanted)) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    // The menu moves the focus in a timer. Without this wait, a late timer moves it beyond the wanted item.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  }
  throw new Error(`No arrow leads to ${item}`)
}

describe('an event by keyboard', () => {
  test('is validated, created once by two presses of Enter, changed, and left unsaved only after a question', {
    tags: 'nightly',
  }, async () => {
    const { page, pageErrors } = await openAdminApp(browsers, service.url, '/events')
    const hand = byKeyboard(page)
    await hand.press(page.getByRole('link', { name: 'New event' }).first())
    await page.getByRole('heading', { name: 'New event' }).waitFor()
    await hand.press(page.getByRole('button', { name: 'Create event' }))
    await page.getByText('Enter a name for the event.').waitFor()
    await page.getByText('Choose a type.').waitFor()
    await page.getByText(/^Enter a password of at least 6 characters/).waitFor()
    await hand.write(page.getByLabel('Name', { exact: true }), 'Clara & Dan')
    await tabTo(page, page.getByLabel('Type'))
    await page.keyboard.type('Wed')
    await hand.press(page.getByRole('button', { name: 'Create event' }))
    await page.getByText(/^Enter a password of at least 6 characters/).waitFor()
    expect(await hasFocus(page.getByLabel('Password', { exact: true }))).toBe(true)
    await expectNoAxeFindings(page)
    await hand.press(page.getByRole('button', { name: 'Suggest' }))
    expect(await page.getByText(/^Enter a password of at least 6 characters/).count()).toBe(0)
    await page.getByLabel('Name', { exact: true }).focus()
    await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')])
    await page.getByRole('heading', { name: 'Clara & Dan' }).waitFor()
    await page.getByText('Event created. Add photos, then share the link.').waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    expect(await loadEvent({ id })).toMatchObject({
      event_name: 'Clara & Dan',
      event_type: 'wedding',
      is_draft: false,
      ask_guest_name: true,
      allow_notes: true,
    })
    expect(await countEvents('Clara')).toBe(1)

    await hand.press(page.getByRole('link', { name: 'Settings', exact: true }).last())
    await hand.press(page.getByRole('link', { name: 'Appearance' }))
    await page.getByLabel('Noir').check()
    const preview = page.frameLocator('iframe[title="Preview of the gallery"]')
    await preview.locator('html.theme-noir').getByRole('heading', { name: 'Clara & Dan' }).waitFor()
    await preview.locator('html.type-commissioner').waitFor()
    await page.getByLabel('Cormorant').check()
    await preview.locator('html.theme-noir.type-cormorant').waitFor()
    const downloads = page.locator('summary', { hasText: 'Downloads' })
    await downloads.click()
    await page.getByLabel('Longest edge in pixels').fill('12')
    await downloads.click()
    await page.getByText('Unsaved changes').waitFor()
    await hand.press(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('Enter a value from 320 to 20,000 pixels, or leave the field empty.').waitFor()
    await page.getByText("Couldn't save. Check the highlighted field.").waitFor()
    await expectNoAxeFindings(page)

    await hand.press(page.getByRole('link', { name: 'Picks' }))
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.getByLabel('Longest edge in pixels').fill('2048')
    await hand.press(page.locator('.edit-event > nav').getByRole('link', { name: 'Feedback' }))
    await tabTo(page, page.getByRole('switch', { name: 'Comments', exact: true }))
    await page.keyboard.press('Space')
    await hand.press(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('Saved.').waitFor()
    expect(await loadEvent({ id })).toMatchObject({ download_max_px: 2048, allow_comments: false })
    expect(await page.getByText('Unsaved changes').count()).toBe(0)
    expect(withoutResponses(pageErrors)).toEqual([])
  })

  test('is published, opens to guests, is duplicated, archived, restored and deleted', {
    tags: 'nightly',
  }, async () => {
    const event = await createEvent(service.api, {
      event_name: 'Eva',
      is_draft: true,
      customer_email: 'eva@example.com',
    })
    await uploadPhotos(service.api, event.id, 2)
    const { page, pageErrors } = await openAdminApp(browsers, service.url, `/events/${event.id}/share`)
    const hand = byKeyboard(page)
    const menu = 'More for Eva'

    await page.getByText("This is a draft. The link doesn't work until you publish it.").waitFor()
    await hand.press(page.getByRole('button', { name: 'Publish' }))
    await page.getByRole('dialog', { name: 'Publish “Eva”?' }).waitFor()
    await page.getByText('No mail server is set up, so no email is sent.').waitFor()
    await expectNoAxeFindings(page)
    await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Publish' }))
    await page.getByText('“Eva” is live. You can now share the link.').waitFor()
    const guest = await browsers.open(await page.getByLabel('Link', { exact: true }).inputValue(), 'phone')
    await guest.page.getByRole('heading', { name: 'Eva' }).waitFor()

    await chooseByKeyboard(page, menu, 'Duplicate')
    await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).dblclick()
    await page.getByText('Draft created.').waitFor()
    expect(await countEvents('Eva')).toBe(2)
    const copyId = Number(/events\/(\d+)\/edit/.exec(page.url())?.[1])
    expect(await loadEvent({ id: copyId })).toMatchObject({ event_name: 'Eva', is_draft: true, photo_count: 0 })

    await page.goto(`${service.url}/admin/events/${event.id}`)
    await chooseByKeyboard(page, menu, 'Archive')
    await page.getByText('eva@example.com gets an email that the gallery is closed.').waitFor()
    await hand.press(page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }))
    await page.getByText('“Eva” archived.').waitFor()
    expect((await guest.page.request.get(event.share_url)).status()).toBe(404)
    // Nothing can be done with selected photos, and guests see nothing.
    const photo = page.getByRole('gridcell').first()
    await photo.click()
    await page.keyboard.press('Control+a')
    expect(await page.getByRole('gridcell', { selected: true }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Select all' }).count()).toBe(0)
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menuitem', { name: 'Restore' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Preview as guest' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await hand.press(page.getByRole('button', { name: 'Restore' }))
    await page.getByText(/^Guests can open the gallery again until .*20\d\d/).waitFor()
    await hand.press(page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }))
    await page.getByText(/^“Eva” restored. Guests can open it again until .*20\d\d/).waitFor()
    // What Undo would take back has been taken back.
    expect(await page.getByText('“Eva” archived.').count()).toBe(0)
    expect((await guest.page.request.get(event.share_url)).status()).toBe(200)

    await chooseByKeyboard(page, menu, 'Move to trash')
    await page.getByText('“Eva” moved to the trash.').waitFor()
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    expect((await guest.page.request.get(event.share_url)).status()).toBe(404)
    const moved = page.locator('.notice', { hasText: 'moved to the trash' })
    await hand.press(moved.getByRole('button', { name: 'Undo' }))
    await expect.poll(async () => (await guest.page.request.get(event.share_url)).status()).toBe(200)

    await service.admin.post(`/api/admin/events/${event.id}/trash`, {})
    await hand.press(page.getByRole('link', { name: 'Trash' }))
    await page.getByText('30 days left').waitFor()
    await hand.press(page.getByRole('button', { name: 'Delete “Eva” permanently' }))
    const question = page.getByRole('alertdialog', { name: 'Delete “Eva” permanently?' })
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await hand.press(page.getByRole('button', { name: 'Restore “Eva”' }))
    await page.getByText('The trash is empty').waitFor()
    expect((await service.admin.get(`/api/admin/events/${event.id}`)).status).toBe(200)

    await page.goto(`${service.url}/admin/events/${event.id}`)
    await chooseByKeyboard(page, menu, 'Move to trash')
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    // Neither Back nor the address shows an event in the trash.
    for (const again of [() => page.goBack(), () => page.reload()]) {
      await again()
      await page.getByRole('heading', { name: 'Event not found' }).waitFor()
      await page.getByText("It was deleted or isn't shared with you.").waitFor()
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    }
    await expectNoAxeFindings(page)
    await hand.press(page.getByRole('link', { name: 'All events' }))
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    expect(withoutResponses(pageErrors)).toEqual([])
  })
})

test('a partly filled field is not saved as empty, also in a collapsed section, and an event is closed and restored', async () => {
  const isBad = (field: Element) => (field as HTMLInputElement).validity.badInput
  const { page } = await openAdminApp(browsers, service.url, '/events/new')
  await page.getByLabel('Name', { exact: true }).fill('Ike')
  await page.getByLabel('Type').selectOption('Wedding')
  await page.getByLabel('Link only').check()
  await page.getByText('More options').click()
  const cap = page.getByLabel('Maximum number of photos')
  await cap.focus()
  await page.keyboard.type('12e')
  expect(await cap.evaluate(isBad)).toBe(true)
  await page.getByText('More options').click()
  await cap.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Create event' }).click()
  await cap.waitFor()
  await expect.poll(() => hasFocus(cap)).toBe(true)
  expect(new URL(page.url()).pathname).toBe('/admin/events/new')
  await page.keyboard.type('1')
  await page.getByRole('button', { name: 'Create event' }).dblclick()
  await page.getByRole('heading', { name: 'Ike' }).waitFor()
  // Two clicks create one event.
  expect(await countEvents('Ike')).toBe(1)
  const id = Number(new URL(page.url()).pathname.split('/').at(-1))
  expect(await loadEvent({ id })).toMatchObject({ photo_cap: 120 })

  await chooseByKeyboard(page, 'More for Ike', 'Change expiry date')
  const dialog = page.getByRole('dialog')
  const until = dialog.getByLabel('Expiry date')
  await expect.poll(() => hasFocus(until)).toBe(true)
  await page.keyboard.press('Delete')
  expect(await until.evaluate(isBad)).toBe(true)
  let saved = 0
  page.on('request', (request) => request.method() === 'PATCH' && saved++)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => hasFocus(until)).toBe(true)
  expect(saved).toBe(0)
  await dialog.getByLabel('Never expires').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The gallery never expires.').waitFor()
  expect(await loadEvent({ id })).toMatchObject({ expires_at: null })
  await chooseByKeyboard(page, 'More for Ike', 'Change expiry date')
  await dialog.getByRole('button', { name: 'Close now' }).click()
  const question = page.getByRole('alertdialog', { name: 'Close “Ike” now?' })
  await question.getByRole('button', { name: 'Close now' }).click()
  await page.getByText('The gallery is closed.').waitFor()
  expect(await loadEvent({ id })).toMatchObject({ is_active: false })

  await chooseByKeyboard(page, 'More for Ike', 'Archive')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click()
  const restoring = page.getByRole('alertdialog', { name: 'Restore “Ike”?' })
  const opens = restoring.getByText(/^The gallery expired on .* guests can open the gallery again until .*20\d\d/)
  // A restored event is open, so undoing asks too.
  for (const name of ['Undo', 'Restore']) {
    await page.getByRole('button', { name, exact: true }).click()
    await opens.waitFor()
    if (name === 'Undo') await restoring.getByRole('button', { name: 'Cancel' }).click()
  }
  expect(await loadEvent({ id })).toMatchObject({ is_archived: true })
  await restoring.getByRole('button', { name: 'Restore' }).click()
  await page.getByText(/^“Ike” restored. Guests can open it again until/).waitFor()
  expect(await loadEvent({ id })).toMatchObject({ is_archived: false, is_active: true })
})

test('a new password creates a new link and is shown with it until the window closes, and the link can be mailed', {
  tags: 'nightly',
}, async () => {
  const event = await createEvent(service.api, { event_name: 'Fay', customer_email: 'fay@example.com' })
  const { page, pageErrors } = await openAdminApp(browsers, service.url, `/events/${event.id}/share`)
  const dialog = page.getByRole('dialog')
  await page.getByText('Anyone with the link can open the gallery.').waitFor()
  await page.getByText('Live, no photos yet').waitFor()
  await page.getByRole('button', { name: 'Email the link' }).click()
  await dialog.getByText('No mail server is set up.').waitFor()
  await dialog.getByText(event.share_url).waitFor()
  await dialog.getByRole('button', { name: 'Copy text' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Set password' }).click()
  const password = await dialog.getByLabel('Password').inputValue()
  expect(password).toMatch(/^[a-z]{6}-[a-z]{6}$/)
  await dialog.getByLabel('Password').fill('short')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Password').fill(password)
  expect(await dialog.getByRole('alert').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const shown = page.getByRole('dialog', { name: 'The gallery has a new link' })
  const link = await shown.getByLabel('Link', { exact: true }).inputValue()
  expect(link).not.toBe(event.share_url)
  expect(await shown.getByLabel('Password').inputValue()).toBe(password)
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  expect(await page.getByLabel('Password').inputValue()).toBe(password)
  await page.getByRole('button', { name: 'Email the link' }).click()
  await dialog.getByText(`Password: ${password}`).waitFor()
  await page.keyboard.press('Escape')

  const guest = await browsers.open(link, 'phone')
  await guest.page.getByLabel('Password').fill(password)
  await guest.page.keyboard.press('Enter')
  await guest.page.getByRole('heading', { name: 'Fay' }).waitFor()

  await page.reload()
  await page.getByText('Guests need the link and the password.').waitFor()
  expect(await page.getByLabel('Password').count()).toBe(0)

  await page.getByRole('button', { name: 'Create new link' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Create new link' }).click()
  await shown.waitFor()
  expect((await loadEvent(event)).share_url).not.toBe(link)
  await page.keyboard.press('Escape')
  for (const kind of ['svg', 'png']) {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: kind }).click()
    expect((await saved).suggestedFilename()).toBe(`${event.slug}.${kind}`)
  }
  expect(withoutResponses(pageErrors)).toEqual([])
})

test('a tap on the cover, or a slider, chooses its focus, which the preview on a phone shows', async () => {
  const event = await createEvent(service.api, { header_style: 'hero' })
  // A pixel of the cover is less than a percent.
  await service.api.upload(event.id, await jpeg({ seed: 9, width: 600, height: 400 }))
  await uploadPhotos(service.api, event.id, 4)
  const { page, pageErrors } = await openAdminApp(browsers, service.url, `/events/${event.id}/edit`)
  await page.locator('summary', { hasText: 'Appearance' }).click()
  const picture = page.locator('.cover-focus-picture img')
  await picture.evaluate((image: HTMLImageElement) => image.decode())
  const size = await picture.boundingBox()
  const position = { x: 0.25 * (size?.width ?? 0), y: 0.75 * (size?.height ?? 0) }
  await page.locator('.cover-focus-picture').click({ position })
  const [across, down] = ['From left to right', 'From top to bottom'].map((name) => page.getByRole('slider', { name }))
  const readSlider = async (slider = across) => Number(await slider?.inputValue())
  const tapped = await readSlider()
  expect([Math.abs(tapped - 25) < 2, Math.abs((await readSlider(down)) - 75) < 2]).toEqual([true, true])
  await across?.press('ArrowRight')
  const focus = { cover_focus_x: tapped + 1, cover_focus_y: await readSlider(down) }
  await page.getByLabel('Split').check()
  const header = page.frameLocator('iframe[title="Preview on a phone"]').locator('header.cover-split')
  await header.waitFor()
  const readFocus = () => header.evaluate((element) => getComputedStyle(element).getPropertyValue('--cover-x'))
  await expect.poll(readFocus).toBe(`${focus.cover_focus_x}%`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => (await loadEvent(event)).cover_layout).toBe('split')
  expect(await loadEvent(event)).toMatchObject(focus)
  await page.getByRole('button', { name: 'Choose automatically' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => (await loadEvent(event)).cover_focus_y).toBe(null)
  await expectNoAxeFindings(page)
  expect(pageErrors).toEqual([])
})

test('cover, categories and members are changed at once, without saving', { tags: 'nightly' }, async () => {
  const event = await createEvent(service.api, { event_name: 'Kai' })
  const [, second] = await uploadPhotos(service.api, event.id, 2)
  const colleague = await createAccount(service, 'editor')
  const { page, pageErrors } = await openAdminApp(browsers, service.url, `/events/${event.id}/edit`)
  for (const name of ['Cover', 'Categories', 'Members']) await page.locator('summary', { hasText: name }).click()
  await page.getByRole('button', { name: 'Choose cover' }).click()
  await page.getByRole('button', { name: 'photo-2.jpg' }).click()
  await page.getByText('Cover saved.').waitFor()
  expect((await loadEvent(event)).cover_photo_id).toBe(second)

  for (const name of ['Church', 'Dance']) {
    await page.getByRole('button', { name: 'New category' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('listitem').filter({ hasText: name }).waitFor()
  }
  await page.getByRole('button', { name: 'Move “Dance” up' }).click()
  const categories = async () =>
    (await service.admin.get(`/api/admin/categories/event/${event.id}`)).body
      .filter(({ is_global }: { is_global: boolean }) => !is_global)
      .map(({ name }: { name: string }) => name)
  await expect.poll(categories).toEqual(['Dance', 'Church'])
  await page.getByRole('button', { name: 'Delete “Church”' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(categories).toEqual(['Dance'])

  await page.getByRole('checkbox', { name: colleague.username }).click()
  await page.getByText('Members saved.').waitFor()
  expect((await colleague.admin.get(`/api/admin/events/${event.id}`)).status).toBe(200)
  expect(await page.getByText('Unsaved changes').count()).toBe(0)
  expect(withoutResponses(pageErrors)).toEqual([])
})

test('a read-only member sees no control that would be rejected', { tags: 'nightly' }, async () => {
  const viewer = await createAccount(service, 'viewer')
  const event = await createEvent(service.api, { event_name: 'Lou' })
  await service.admin.put(`/api/admin/events/${event.id}/members`, { user_ids: [viewer.id] })
  const { page } = await browsers.openBlankPage(service.url, 'desktop')
  await signInBrowser(service, page, viewer)
  await page.goto(`${service.url}/admin/events/${event.id}/edit`)
  await page.getByText('You can view these settings, but not change them.').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'More for Lou' }).click()
  const items = page.getByRole('menuitem')
  expect(await items.allTextContents()).toEqual(['Preview as guest', 'Copy link'])
  expect(await page.getByRole('separator').count()).toBe(0)
  await page.goto(`${service.url}/admin/events`)
  await page.getByRole('link', { name: 'Lou' }).waitFor()
  expect(await page.getByRole('link', { name: 'New event' }).count()).toBe(0)
})

test('the list keeps search, filters and order in its address, shows covers or rows, and offers actions', {
  tags: 'nightly',
}, async () => {
  const event = await createEvent(service.api, { event_name: 'Zeppelin 10', customer_name: 'Gus' })
  await createEvent(service.api, { event_name: 'Zeppelin 2', event_type: 'birthday', is_draft: true })
  const { page } = await openAdminApp(browsers, service.url, '/events')
  await page.getByRole('searchbox').fill('zeppelin')
  await page.waitForURL(/search=zeppelin/)
  const names = page.getByRole('list', { name: 'Events' }).getByRole('heading').getByRole('link')
  await expect.poll(() => names.allTextContents()).toEqual(['Zeppelin 2', 'Zeppelin 10'])
  await expectNoAxeFindings(page)
  await page.getByLabel('Sort').selectOption('Name')
  await page.waitForURL(/sort=name/)
  await page.getByLabel('Status').selectOption('Draft')
  await expect.poll(() => names.allTextContents()).toEqual(['Zeppelin 2'])
  await page.getByRole('button', { name: 'List' }).click()
  await page.getByRole('row', { name: /Zeppelin 2/ }).waitFor()
  // The browser remembers the rows.
  await page.reload()
  await page.getByRole('row', { name: /Zeppelin 2/ }).waitFor()
  expect(await page.getByRole('row', { name: /Zeppelin 10/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Covers' }).click()
  await page.getByRole('heading', { name: 'Zeppelin 2' }).waitFor()
  expect(await page.getByRole('row').count()).toBe(0)
  await page.getByLabel('Type').selectOption('Wedding')
  await page.getByText('No events found').waitFor()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Show all events' }).click()

  await chooseByKeyboard(page, 'More for Zeppelin 10', 'Archive')
  await byKeyboard(page).press(page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }))
  const card = page.getByRole('listitem').filter({ hasText: 'Zeppelin 10' })
  await card.getByText('Archived').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await card.getByText('Live').waitFor()
  expect((await loadEvent(event)).is_archived).toBe(false)
})
