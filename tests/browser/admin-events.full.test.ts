import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { firstAdmin, openAdminApp, signInBrowser } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { byKeyboard, tabTo } from '../support/browser/input-methods.ts'
import { createAccount } from '../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const browsers = await chromiumForFile()

const loadEvent = async ({ id }: { id: number }) => (await service.admin.get(`/api/admin/events/${id}`)).body
/** Removes messages about 4xx responses. The browser logs these, and the page itself shows the errors. */
const withoutResponses = (pageErrors: string[]) => pageErrors.filter((text) => !/status of 4\d\d/.test(text))

async function chooseByKeyboard(page: Page, menu: string, item: string): Promise<void> {
  await byKeyboard(page).press(page.getByRole('button', { name: menu, exact: true }))
  const wanted = page.getByRole('menuitem', { name: item, exact: true })
  await wanted.waitFor()
  for (let presses = 0; presses < 20; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    // The menu moves the focus in a timer. Without this wait, a late timer moves it beyond the wanted item.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  }
  throw new Error(`No arrow leads to ${item}`)
}

describe('an event by keyboard', () => {
  test('is created, validated, changed, and left unsaved only after a question', async () => {
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
    expect(
      await page.getByLabel('Password', { exact: true }).evaluate((field) => field === document.activeElement),
    ).toBe(true)
    await expectNoAxeFindings(page)
    await hand.press(page.getByRole('button', { name: 'Suggest' }))
    expect(await page.getByText(/^Enter a password of at least 6 characters/).count()).toBe(0)
    await hand.press(page.getByRole('button', { name: 'Create event' }))
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

    await hand.press(page.getByRole('link', { name: 'Settings', exact: true }).last())
    await page.getByLabel('Noir').check()
    const preview = page.frameLocator('iframe[title="Preview of the gallery"]')
    await preview.locator('html.theme-noir').getByRole('heading', { name: 'Clara & Dan' }).waitFor()
    await page.getByLabel('Longest edge in pixels').fill('12')
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
    await tabTo(page, page.getByRole('switch', { name: 'Comments', exact: true }))
    await page.keyboard.press('Space')
    await hand.press(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('Saved.').waitFor()
    expect(await loadEvent({ id })).toMatchObject({ download_max_px: 2048, allow_comments: false })
    expect(await page.getByText('Unsaved changes').count()).toBe(0)
    expect(withoutResponses(pageErrors)).toEqual([])
  })

  test('is published, opens to guests, is duplicated, archived, restored and deleted', async () => {
    const event = await createEvent(service.api, { event_name: 'Eva', is_draft: true })
    await uploadPhotos(service.api, event.id, 2)
    const { page, pageErrors } = await openAdminApp(browsers, service.url, `/events/${event.id}/share`)
    const hand = byKeyboard(page)
    const menu = 'More for Eva'

    await page.getByText("This is a draft. The link doesn't work until you publish it.").waitFor()
    await hand.press(page.getByRole('button', { name: 'Publish' }))
    await page.getByRole('dialog', { name: 'Publish “Eva”?' }).waitFor()
    await expectNoAxeFindings(page)
    await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Publish' }))
    await page.getByText('“Eva” is live. You can now share the link.').waitFor()
    const guest = await browsers.open(await page.getByLabel('Link', { exact: true }).inputValue(), 'phone')
    await guest.page.getByRole('heading', { name: 'Eva' }).waitFor()

    await chooseByKeyboard(page, menu, 'Duplicate')
    await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }))
    await page.getByText('Draft created.').waitFor()
    const copyId = Number(/events\/(\d+)\/edit/.exec(page.url())?.[1])
    expect(await loadEvent({ id: copyId })).toMatchObject({ event_name: 'Eva', is_draft: true, photo_count: 0 })

    await page.goto(`${service.url}/admin/events/${event.id}`)
    await chooseByKeyboard(page, menu, 'Archive')
    await hand.press(page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }))
    await page.getByText('“Eva” archived.').waitFor()
    expect((await guest.page.request.get(event.share_url)).status()).toBe(404)
    await hand.press(page.getByRole('button', { name: 'Restore' }))
    await page.getByText('“Eva” restored.').waitFor()
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
    // Neither Back nor the address shows an event in the trash: the page requests it from the service first.
    const gate = Promise.withResolvers<void>()
    await page.route(`**/api/admin/events/${event.id}`, (route) => gate.promise.then(() => route.continue()), {
      times: 1,
    })
    await page.goBack()
    await page.locator('.waiting').waitFor()
    expect(await page.getByText('Eva', { exact: true }).count()).toBe(0)
    gate.resolve()
    await page.getByRole('heading', { name: 'Event not found' }).waitFor()
    await page.goForward()
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    for (const again of [() => page.goBack(), () => page.reload()]) {
      await again()
      await page.getByRole('heading', { name: 'Event not found' }).waitFor()
      await page.getByText("It was deleted or isn't shared with you.").waitFor()
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
      expect(new URL(page.url()).pathname).toBe(`/admin/events/${event.id}`)
    }
    await expectNoAxeFindings(page)
    await hand.press(page.getByRole('link', { name: 'All events' }))
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    expect(withoutResponses(pageErrors)).toEqual([])
  })
})

test('missing fields that the settings require are reported at the field', async () => {
  const wanted = { event_require_customer_email: true, event_require_expiration: true }
  await service.admin.put('/api/admin/settings', wanted)
  onTestFinished(async () => {
    const usual = Object.fromEntries(Object.keys(wanted).map((key) => [key, false]))
    await service.admin.put('/api/admin/settings', usual)
  })
  const { page } = await openAdminApp(browsers, service.url, '/events/new')
  const problems = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((field) => {
      const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
      return ids.map((id) => document.getElementById(id)?.textContent)
    })
  await page.getByLabel('Customer (optional)').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Max & Noa')
  await page.getByLabel('Type').selectOption('Wedding')
  await page.getByLabel('Link only').check()
  await page.getByRole('button', { name: 'Create event' }).click()
  await page.getByText('This field is required.').first().waitFor()
  expect(await problems('Email address')).toContain('This field is required.')
  expect(await problems('Expiry date')).toContain('This field is required.')
  await page.getByLabel('Email address', { exact: true }).fill('max')
  await page.getByRole('button', { name: 'In 90 days' }).click()
  await page.getByRole('button', { name: 'Create event' }).click()
  await expect.poll(() => problems('Email address')).toContain('Enter a valid email address.')
  await page.getByLabel('Email address', { exact: true }).fill('max@example.com')
  await page.getByLabel('Notify max@example.com by email').uncheck()
  await page.getByLabel('Save as draft').check()
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByText('Draft created. Add photos, then publish it.').waitFor()
})

describe('a partly filled field', () => {
  const reveal = '2031-05-06T10:30'
  const isBad = (field: Element) => (field as HTMLInputElement).validity.badInput
  const isFocused = (field: Element) => field === document.activeElement

  test('is not saved as empty', async () => {
    const event = await createEvent(service.api, { event_name: 'Gil', reveal_at: new Date(reveal).toISOString() })
    const { reveal_at: before } = await loadEvent(event)
    const { page } = await openAdminApp(browsers, service.url, `/events/${event.id}/edit`)
    const field = page.getByLabel('Show photos from')
    await field.focus()
    await page.keyboard.press('Delete')
    expect(await field.evaluate(isBad)).toBe(true)
    await page.getByLabel('Name', { exact: true }).fill('Gil & Hal')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => field.evaluate(isFocused)).toBe(true)
    expect(await loadEvent(event)).toMatchObject({ event_name: 'Gil', reveal_at: before })
    await field.fill('2031-05-07T10:30')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
    expect(await loadEvent(event)).toMatchObject({ event_name: 'Gil & Hal' })
    expect((await loadEvent(event)).reveal_at).not.toBe(before)

    await chooseByKeyboard(page, 'More for Gil & Hal', 'Change expiry date')
    const dialog = page.getByRole('dialog')
    const until = dialog.getByLabel('Expiry date')
    await expect.poll(() => until.evaluate(isFocused)).toBe(true)
    await page.keyboard.press('Delete')
    expect(await until.evaluate(isBad)).toBe(true)
    let saved = 0
    page.on('request', (request) => request.method() === 'PATCH' && saved++)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => until.evaluate(isFocused)).toBe(true)
    expect(saved).toBe(0)

    await dialog.getByLabel('Never expires').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The gallery never expires.').waitFor()
    expect(await loadEvent(event)).toMatchObject({ expires_at: null })
    await chooseByKeyboard(page, 'More for Gil & Hal', 'Change expiry date')
    await dialog.getByRole('button', { name: 'Close now' }).click()
    const question = page.getByRole('alertdialog', { name: 'Close “Gil & Hal” now?' })
    await question.waitFor()
    expect(await page.locator('.dialog:not([role=alertdialog])').isVisible()).toBe(false)
    await question.getByRole('button', { name: 'Close now' }).click()
    await page.getByText('The gallery is closed.').waitFor()
    expect(await loadEvent(event)).toMatchObject({ is_active: false })
  })

  test('is shown when its section is collapsed', async () => {
    const { page } = await openAdminApp(browsers, service.url, '/events/new')
    await page.getByLabel('Name', { exact: true }).fill('Ike')
    await page.getByLabel('Type').selectOption('Wedding')
    await page.getByLabel('Link only').check()
    await page.getByText('More options').click()
    const field = page.getByLabel('Maximum number of photos')
    await field.focus()
    await page.keyboard.type('12e')
    expect(await field.evaluate(isBad)).toBe(true)
    await page.getByText('More options').click()
    await field.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Create event' }).click()
    await field.waitFor()
    await expect.poll(() => field.evaluate(isFocused)).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/admin/events/new')
    await page.keyboard.type('1')
    await page.getByRole('button', { name: 'Create event' }).click()
    await page.getByRole('heading', { name: 'Ike' }).waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    expect(await loadEvent({ id })).toMatchObject({ photo_cap: 120 })
  })
})

test('the type of an event is shown before the list of types has loaded', async () => {
  const event = await createEvent(service.api, { event_name: 'Jo' })
  const { page } = await browsers.openBlankPage(service.url, 'desktop', { locale: 'de' })
  await signInBrowser(service, page, firstAdmin)
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/admin/event-types', (route) => gate.promise.then(() => route.continue()))
  await page.goto(`${service.url}/admin/events/${event.id}/edit`)
  const field = page.getByLabel('Art', { exact: true })
  await field.waitFor()
  const shown = () => field.evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.textContent)
  expect(await shown()).toBe('Hochzeit')
  expect(await page.getByText('wedding').count()).toBe(0)
  gate.resolve()
  await expect.poll(() => field.locator('option').count()).toBeGreaterThan(1)
  expect(await shown()).toBe('Hochzeit')
})

test('a new password creates a new link and is shown with it until the window closes', async () => {
  const event = await createEvent(service.api, { event_name: 'Fay' })
  const { page, pageErrors } = await openAdminApp(browsers, service.url, `/events/${event.id}/share`)
  await page.getByText('Anyone with the link can open the gallery.').waitFor()
  await page.getByRole('button', { name: 'Set password' }).click()
  const password = await page.getByRole('dialog').getByLabel('Password').inputValue()
  expect(password).toMatch(/^(\w{4}-?){3}$/)
  await page.getByRole('dialog').getByLabel('Password').fill('short')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.getByRole('dialog').getByLabel('Password').fill(password)
  expect(await page.getByRole('dialog').getByRole('alert').count()).toBe(0)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const shown = page.getByRole('dialog', { name: 'The gallery has a new link' })
  const link = await shown.getByLabel('Link', { exact: true }).inputValue()
  expect(link).not.toBe(event.share_url)
  expect(await shown.getByLabel('Password').inputValue()).toBe(password)
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  expect(await page.getByLabel('Password').inputValue()).toBe(password)

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

test('cover, categories and members are changed at once, without saving', async () => {
  const event = await createEvent(service.api, { event_name: 'Kai' })
  const [, second] = await uploadPhotos(service.api, event.id, 2)
  const colleague = await createAccount(service, 'editor')
  const { page, pageErrors } = await openAdminApp(browsers, service.url, `/events/${event.id}/edit`)
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

test('a read-only account sees no control that would be rejected', async () => {
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

describe('the list', () => {
  test('keeps search, filters and order in its address', async () => {
    const mark = 'Zeppelin'
    await createEvent(service.api, { event_name: `${mark} 10`, customer_name: 'Gus' })
    await createEvent(service.api, { event_name: `${mark} 2`, event_type: 'birthday', is_draft: true })
    const { page } = await openAdminApp(browsers, service.url, '/events')
    await page.getByRole('searchbox').fill('zeppelin')
    await page.waitForURL(/search=zeppelin/)
    const names = page.getByRole('list', { name: 'Events' }).getByRole('heading').getByRole('link')
    await expect.poll(() => names.allTextContents()).toEqual([`${mark} 2`, `${mark} 10`])
    await expectNoAxeFindings(page)
    await page.getByLabel('Sort').selectOption('Name')
    await page.waitForURL(/sort=name/)
    await page.getByLabel('Status').selectOption('Draft')
    await expect.poll(() => names.allTextContents()).toEqual([`${mark} 2`])
    await page.reload()
    await expect.poll(() => names.allTextContents()).toEqual([`${mark} 2`])
    await page.getByLabel('Type').selectOption('Wedding')
    await page.getByText('No events found').waitFor()
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: 'Show all events' }).click()
    await page.getByRole('link', { name: `${mark} 10` }).waitFor()
  })

  test('shows covers or rows, which the browser remembers', async () => {
    await createEvent(service.api, { event_name: 'Juno' })
    const { page } = await openAdminApp(browsers, service.url, '/events?search=juno')
    await page.getByRole('heading', { name: 'Juno' }).waitFor()
    await page.getByRole('button', { name: 'List' }).click()
    await page.getByRole('row', { name: /Juno/ }).waitFor()
    await page.reload()
    await page.getByRole('row', { name: /Juno/ }).waitFor()
    await page.getByRole('button', { name: 'Covers' }).click()
    await page.getByRole('heading', { name: 'Juno' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(0)
  })

  test('offers the actions of an event in its card', async () => {
    const event = await createEvent(service.api, { event_name: 'Hugo of the card' })
    const { page } = await openAdminApp(browsers, service.url, '/events?search=hugo')
    await chooseByKeyboard(page, 'More for Hugo of the card', 'Archive')
    await byKeyboard(page).press(page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }))
    await page.getByRole('listitem').filter({ hasText: 'Hugo' }).getByText('Archived').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Hugo' }).getByText('Live').waitFor()
    expect((await loadEvent(event)).is_archived).toBe(false)
  })
})

test('without a mail server, a link that is mailed again is reported as stored', async () => {
  const event = await createEvent(service.api, { event_name: 'Ida', customer_email: 'ida@example.com' })
  const { page } = await openAdminApp(browsers, service.url, `/events/${event.id}/share`)
  await page.getByRole('button', { name: 'Email the link' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await page.locator('.notice').getByText('The email to ida@example.com was saved').waitFor()
})

test('an account whose events are all in the trash is led there, not to the first steps', async () => {
  const editor = await createAccount(service, 'editor')
  const event = await createEvent(editor.api, { event_name: 'Eva' })
  await service.admin.post(`/api/admin/events/${event.id}/trash`, {})
  const { page, pageErrors } = await browsers.openBlankPage(service.url, 'desktop')
  await signInBrowser(service, page, editor)
  for (const path of ['/admin', '/admin/events']) {
    await page.goto(service.url + path)
    await page.getByText('1 event is in the trash. It is kept there for 30 days.').waitFor()
  }
  await page.getByRole('link', { name: 'Open trash' }).click()
  await page.getByText('30 days left').waitFor()
  expect(pageErrors).toEqual([])
})
