import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const source = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Levels A and AA of WCAG 2.0, 2.1 and 2.2, and the best practices of axe. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Fails with the findings of axe on the current page, after all animations that are not endless have ended. axe is
 * injected through the debugger, because the Content-Security-Policy of the page blocks a script element.
 */
export const expectNoAxeFindings = async (page: Page): Promise<void> => expect(await listAxeFindings(page)).toEqual([])

export async function listAxeFindings(page: Page): Promise<string[]> {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished),
    ),
  )
  const isLoaded = await page.evaluate(() => 'axe' in window)
  if (!isLoaded) await page.evaluate(source)
  return page.evaluate(async (values) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: { type: 'tag', values },
      resultTypes: ['violations'],
    })
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html.slice(0, 200)}\n${failureSummary}`),
    )
  }, tags)
}
