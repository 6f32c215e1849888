import { beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../../tools/chromium.ts'
import { largestPaint } from '../../tools/largest-paint.ts'
import { largeGallery } from '../support/large-gallery.ts'
import { serviceForFile } from '../support/test-service.ts'

const service = await serviceForFile()
const visits = 5

// What is promised is 1.8 s, 2.5 s with a slow processor; `npm run bench -- gallery` tells the figures. Here a machine
// that does much else at once has half as long again.
const kinds = [
  { of: 'of a gallery with its title above', header_style: 'standard', slowdown: 1, mostMs: 2_700 },
  { of: 'of a gallery with a cover above', header_style: 'hero', slowdown: 1, mostMs: 2_700 },
  { of: 'on a processor four times slower', header_style: 'standard', slowdown: 4, mostMs: 3_750 },
] as const

const links: Record<string, string> = {}
beforeAll(async () => {
  for (const header_style of ['standard', 'hero']) {
    const event = await largeGallery(service, { photos: 1_000, longEdgePx: 2_000, event: { header_style } })
    links[header_style] = event.share_url
  }
}, 120_000)

test.each(kinds)(
  'the largest paint $of, on a slow line and for the first time, comes in $mostMs ms',
  async (kind) => {
    const browser = await launchChromium()
    try {
      const paints: number[] = []
      for (let visit = 0; visit < visits; visit++) {
        const { ms, layoutShift } = await largestPaint(browser, links[kind.header_style] ?? '', kind)
        paints.push(ms)
        expect(layoutShift).toBe(0)
      }
      expect(paints.sort((a, b) => a - b)[2]).toBeLessThan(kind.mostMs)
    } finally {
      await browser.close()
    }
  },
  120_000,
)
