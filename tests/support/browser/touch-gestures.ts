import type { Locator, Page } from 'playwright-core'

type Point = { x: number; y: number }

/** Moves one finger between two points in at least 160 ms. */
export const swipe = (page: Page, from: Point, to: Point): Promise<void> => moveFingers(page, [from], [to])

/** Holds a finger on the target until the element that a long press shows is visible. */
export async function longPress(target: Locator, shown: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const page = target.page()
  const session = await page.context().newCDPSession(page)
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await shown.waitFor()
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

export async function moveFingers(page: Page, from: readonly Point[], to: readonly Point[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const steps = 10
  const at = (step: number) =>
    from.map(({ x, y }, finger) => ({
      x: x + (((to[finger]?.x ?? x) - x) * step) / steps,
      y: y + (((to[finger]?.y ?? y) - y) * step) / steps,
    }))
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  for (let step = 1; step <= steps; step++) {
    // The pauses set the speed, which decides whether the page recognizes a swipe.
    await page.waitForTimeout(16)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step) })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}
