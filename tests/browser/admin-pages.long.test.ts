import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type AdminPageOptions, adminAppForFile } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings, listAxeFindings } from '../support/browser/axe.ts'
import { adminPages, fillAdminPages, longName } from '../support/browser/every-admin-page.ts'
import { measureSidewaysOverflow } from '../support/browser/guest-page.ts'
import { hasFocus } from '../support/browser/input-methods.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const adminApp = await adminAppForFile(service)
const getAddress = await fillAdminPages(service)

type PageVariant = AdminPageOptions & {
  name: string
  hasKeyboard: boolean
  shrink: { name: string; change: (page: Page) => Promise<unknown> }
}

/**
 * Each variant combines several settings, because not every page needs every combination. Each page is checked as it is
 * and with less space.
 */
const variants: PageVariant[] = [
  {
    name: 'on a phone, light, in English',
    device: 'phone',
    colorScheme: 'light',
    hasKeyboard: false,
    shrink: { name: 'with letters twice as large', change: (page) => page.evaluate(enlargeLetters) },
  },
  {
    name: 'on a desktop, dark, in German',
    device: 'desktop',
    colorScheme: 'dark',
    locale: 'de-DE',
    hasKeyboard: true,
    shrink: { name: 'in a small window, from right to left', change: shrinkAndRotate },
  },
]

describe.each(variants)('every page $name', ({ name: _, shrink, hasKeyboard, ...options }) => {
  const byTab = hasKeyboard ? ', and Tab reaches every control, each of which shows that it is there' : ''
  test(`is no wider than the window, axe finds nothing${byTab}`, async () => {
    const { page, visit, pageErrors } = await adminApp.open(null, options)
    const viewport = page.viewportSize() ?? smallWindow
    const found: string[] = []
    for (const path of adminPages) {
      await page.setViewportSize(viewport)
      await visit(getAddress(path))
      await openDetails(page)
      const inspect = async (room: string) => {
        const note = (what: unknown) => found.push(`${path} ${room}: ${what}`)
        const px = await measureSidewaysOverflow(page)
        if (px > 0) note(`${px} px too wide: ${await findWidest(page)}`)
        for (const finding of await listAxeFindings(page)) note(finding)
        for (const complaint of pageErrors.splice(0)) note(complaint)
      }
      await inspect('at first')
      if (hasKeyboard) found.push(...(await findTabProblems(page)).map((what) => `${path} ${what}`))
      await shrink.change(page)
      await inspect(shrink.name)
    }
    expect(found).toEqual([])
  }, 600_000)
})

/** Moves through a page by Tab. Returns controls that are not reached and controls whose focus is not visible. */
async function findTabProblems(page: Page): Promise<string[]> {
  const found: string[] = []
  const rest = () =>
    page.evaluate(() => {
      ;(document.activeElement as HTMLElement | null)?.blur()
      getSelection()?.removeAllRanges()
      scrollTo(0, 0)
    })
  await rest()
  const wanted = await page.evaluate(markControls)
  for (let presses = 0; presses < wanted + 20; presses++) {
    await page.keyboard.press('Tab')
    const { unmarkedFocus, isDone } = await page.evaluate(checkFocus)
    if (unmarkedFocus) found.push(`nothing shows the focus of ${unmarkedFocus}`)
    if (isDone) break
  }
  const missed = await page.evaluate(() =>
    [...document.querySelectorAll('[data-wanted]')].map((one) => one.outerHTML.slice(0, 120)),
  )
  await rest()
  return [...found, ...missed.map((html) => `not reached: ${html}`)]
}

test('pages before sign-in pass the same checks', async () => {
  for (const { name: _, shrink, hasKeyboard: __, ...options } of variants) {
    const { page, pageErrors } = await adminApp.openBlankPage(options)
    await page.goto(`${service.url}/admin`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const change of [() => undefined, shrink.change]) {
      await change(page)
      expect(await measureSidewaysOverflow(page)).toBe(0)
      await expectNoAxeFindings(page)
    }
    expect(pageErrors).toEqual([])
  }
})

test('by keyboard the navigation can be skipped, moves the focus to the new page, and announces its title', async () => {
  const { page, visit } = await adminApp.open('/people')
  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').innerText()).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').innerText()).toBe('All API tokens')
  await visit('/')
  await page.getByRole('link', { name: 'People' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await expect.poll(() => page.title()).toBe('People · Proofroom')
})

test('the focus returns when a dialog closes that a button, a menu or a row has opened', async () => {
  const { page, visit } = await adminApp.open(null)
  const openers: Array<[path: string, opener: string, item?: string]> = [
    ['/people', 'Invite person'],
    ['/people', 'More actions for admin', 'Edit'],
    ['/tokens', `Revoke ${longName}`],
    ['/settings/types', 'Edit Wedding'],
  ]
  for (const [path, opener, item] of openers) {
    await visit(path)
    const button = page.getByRole('button', { name: opener, exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    if (item) {
      await page.getByRole('menuitem', { name: item }).focus()
      await page.keyboard.press('Enter')
    }
    const dialog = page.locator('[role="dialog"], [role="alertdialog"]')
    await dialog.waitFor()
    expect(await dialog.evaluate((one) => one.contains(document.activeElement)), opener).toBe(true)
    // Because of the request for reduced motion.
    expect(await page.evaluate(findLongestAnimation), opener).toBeLessThan(1)
    await expectNoAxeFindings(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(button), { message: opener }).toBe(true)
  }
})

const findLongestAnimation = (): number =>
  Math.max(0, ...document.getAnimations().map((one) => Number(one.effect?.getComputedTiming().duration ?? 0)))

test('on a phone the menu closes after navigation, and the tabs show the active one and fade where they continue', async () => {
  const { page, visit } = await adminApp.open('/', { device: 'phone' })
  await page.getByRole('button', { name: 'Menu' }).tap()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.waitFor()
  await expectNoAxeFindings(page)
  expect(await measureSidewaysOverflow(page)).toBe(0)
  await menu.getByRole('link', { name: 'Settings' }).tap()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await menu.waitFor({ state: 'detached' })

  const tabs = page.locator('.tabs')
  await expect.poll(() => tabs.getAttribute('data-cut')).toBe('right')
  expect(await tabs.evaluate((row) => getComputedStyle(row).maskImage)).toContain('gradient')
  expect(await tabs.evaluate((row) => getComputedStyle(row).scrollBehavior)).toBe('auto')
  expect(await isActiveTabVisible(page)).toBe(true)
  await visit('/settings/mail')
  await expect.poll(() => isActiveTabVisible(page)).toBe(true)
  await expect.poll(() => tabs.getAttribute('data-cut')).toBe('left')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await tabs.getByRole('link', { name: 'Galleries' }).tap()
  await expect.poll(() => isActiveTabVisible(page)).toBe(true)
  await expect.poll(() => tabs.getAttribute('data-cut')).toBe('left right')
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(() => tabs.getAttribute('data-cut')).toBe('')
  expect(await tabs.evaluate((row) => getComputedStyle(row).maskImage)).toBe('none')

  const moving = await adminApp.open('/settings/mail', { device: 'phone', reducedMotion: 'no-preference' })
  await expect.poll(() => isActiveTabVisible(moving.page)).toBe(true)
  expect(await moving.page.locator('.tabs').evaluate((row) => getComputedStyle(row).scrollBehavior)).toBe('smooth')
})

test('on a phone touch targets are 24 pixels high, and mail addresses break before the @', async () => {
  const { page, visit } = await adminApp.open(null, { device: 'phone' })
  const small: string[] = []
  for (const [path, targets] of [
    ['/', '.activity-event, .day-chart summary'],
    ['/activity', '.activity-event'],
    ['/events/:event', '.event-facts > a, .photo-size'],
    ['/events/new', '.page > a'],
    ['/webhooks/:webhook', '.page > a'],
  ] as const) {
    await visit(getAddress(path))
    const seen = page.locator(targets).filter({ visible: true })
    await seen.first().waitFor()
    for (const target of await seen.all()) {
      const { height = 0 } = (await target.boundingBox()) ?? {}
      if (height < 24) small.push(`${path}: ${height} px: ${await target.textContent()}`)
    }
  }
  expect(small).toEqual([])
  await page.setViewportSize(smallWindow)
  await visit(getAddress('/events/:event/picks'))
  expect(await page.locator('.guest-mail').evaluate(readLines)).toEqual(['benjamin.franklin', '@example.com'])
})

const smallWindow = { width: 320, height: 568 }

async function shrinkAndRotate(page: Page): Promise<void> {
  await page.setViewportSize(smallWindow)
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
}

function enlargeLetters(): void {
  document.documentElement.style.fontSize = '200%'
}

const isActiveTabVisible = (page: Page): Promise<boolean> =>
  page.locator('.tabs').evaluate((row) => {
    const active = row.querySelector('[aria-current="page"]')?.getBoundingClientRect()
    const { left, right } = row.getBoundingClientRect()
    return active !== undefined && active.left >= left - 1 && active.right <= right + 1
  })

function readLines(element: Element): string[] {
  const lines: Array<{ top: number; text: string }> = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const [index, letter] of [...(node.textContent ?? '')].entries()) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + 1)
      const { top } = range.getBoundingClientRect()
      const last = lines.at(-1)
      if (last && Math.abs(last.top - top) < 4) last.text += letter
      else lines.push({ top, text: letter })
    }
  }
  return lines.map(({ text }) => text)
}

const openDetails = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true
  })

const findWidest = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const right = (one: Element) => one.getBoundingClientRect().right
    const isClipped = (one: Element): boolean => {
      const around = one.parentElement?.closest('#admin *')
      return around ? getComputedStyle(around).overflowX !== 'visible' || isClipped(around) : false
    }
    const all = [...document.querySelectorAll('#admin *')].filter((one) => !isClipped(one) && one.clientWidth > 0)
    return all.sort((a, b) => right(b) - right(a))[0]?.outerHTML.slice(0, 160) ?? ''
  })

/**
 * Marks every visible control that Tab must reach, and returns their number. Radio buttons and grids are left out,
 * because arrow keys move within them.
 */
function markControls(): number {
  const seen = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')].filter(
    (one) =>
      one.checkVisibility({ visibilityProperty: true }) &&
      one.getClientRects().length > 0 &&
      !one.matches(':disabled, [type="radio"], [type="file"], [tabindex="-1"]') &&
      !one.closest('[inert], [role="grid"]'),
  )
  for (const one of seen) one.dataset.wanted = ''
  return seen.length
}

/**
 * Unmarks the focused control. `unmarkedFocus` is its HTML if no outline and no shadow shows its focus, otherwise null.
 */
function checkFocus(): { unmarkedFocus: string | null; isDone: boolean } {
  const focused = document.activeElement
  const isDone = () => document.querySelector('[data-wanted]') === null
  if (!(focused instanceof HTMLElement) || focused === document.body) return { unmarkedFocus: null, isDone: isDone() }
  // The browser itself marks the focused part of a date field.
  const isWithin = focused.matches('[type="date"], [type="datetime-local"]') && !('wanted' in focused.dataset)
  delete focused.dataset.wanted
  const html = focused.outerHTML.slice(0, 120)
  const shows = (one: Element | null): boolean => {
    if (!one) return false
    return [getComputedStyle(one), getComputedStyle(one, '::after')].some(
      ({ outlineStyle, outlineWidth, boxShadow }) =>
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none',
    )
  }
  const around = [focused, focused.closest('label'), focused.closest('tr, li'), focused.nextElementSibling]
  const isShown = isWithin || around.some(shows)
  return { unmarkedFocus: isShown || focused.matches('main') ? null : html, isDone: isDone() }
}
