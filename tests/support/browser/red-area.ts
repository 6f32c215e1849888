import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'

/** A picture with a red area, upright. */
export const upright = { width: 900, height: 1200 }
const red = { left: 180, top: 220, width: 200, height: 300 }

export async function redPicture(): Promise<Buffer> {
  const area = sharp({ create: { width: red.width, height: red.height, channels: 3, background: 'red' } })
  return sharp({ create: { ...upright, channels: 3, background: '#889' } })
    .composite([{ input: await area.png().toBuffer(), left: red.left, top: red.top }])
    .png()
    .toBuffer()
}

const photoInViewer = '.pswp__item[aria-hidden="false"] .pswp__img'

/** Returns where the window shows the red area, found in the pixels that the browser shows. */
export const findRed = (page: Page, selector = photoInViewer) =>
  page.evaluate(
    ({ size, selector }) => {
      const image = [...document.querySelectorAll<HTMLImageElement>(selector)].at(-1) as HTMLImageElement
      const canvas = new OffscreenCanvas(size.width, size.height)
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
      context.drawImage(image, 0, 0, size.width, size.height)
      const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
      const [xs, ys]: number[][] = [[], []]
      for (let index = 0; index < data.length; index += 4) {
        if ((data[index] ?? 0) < 200 || (data[index + 1] ?? 0) > 60) continue
        xs?.push((index / 4) % width)
        ys?.push(Math.floor(index / 4 / width))
      }
      const box = image.getBoundingClientRect()
      const edge = (values: number[] = [], scale: number) => [
        Math.min(...new Set(values)) * scale,
        (Math.max(...new Set(values)) + 1) * scale,
      ]
      const [left = 0, right = 0] = edge(xs, box.width / width)
      const [top = 0, bottom = 0] = edge(ys, box.height / height)
      return { from: { x: box.left + left, y: box.top + top }, to: { x: box.left + right, y: box.top + bottom } }
    },
    { size: upright, selector },
  )

/** Expects a box, in millionths of the picture, that differs from the red area by less than 0.5 % of its sides. */
export function expectOnRed({ x, y, w, h }: Record<'x' | 'y' | 'w' | 'h', number>): void {
  const { left, top, width, height } = red
  const expected = [left / upright.width, top / upright.height, width / upright.width, height / upright.height]
  for (const [index, value] of [x, y, w, h].entries()) {
    expect(Math.abs(value / 1_000_000 - (expected[index] ?? 0))).toBeLessThan(0.005)
  }
}
