import type { Page } from 'playwright-core'

type Point = { x: number; y: number }

/** Moves one finger between two points in at least 160 ms. */
export const swipe = (page: Page, from: Point, to: Point): Promise<void> => moveFingers(page, [from], [to])

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
