import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { findFocus, findLevels, focusEdge } from '../../platform/media/measure-cover.ts'
import { contrast } from '../../settings/accent-style.ts'
import { coverStyle, wordsArea } from './gallery-cover.ts'

const event = { event_name: 'Ana & Ben', cover_layout: 'full', cover_focus_x: null, cover_focus_y: null } as const
const [width, height] = [640, 426]
const photo = { width, height } as GalleryPhoto

/** Returns pseudo-random numbers from 0 to 1, the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Returns RGB pixels: squares of one to 40 pixels of random grays or colors around a random brightness. */
function createCover(seed: number): Buffer {
  const random = createRandom(seed)
  const [base, spread, size] = [255 * random(), 160 * random() ** 2, [1, 2, 3, 8, 40][seed % 5] ?? 1]
  const colorful = seed % 2
  const columns = Math.ceil(width / size)
  const squares = Float64Array.from({ length: columns * Math.ceil(height / size) * 3 }, () => random() - 0.5)
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)]
    const square = (Math.floor(y / size) * columns + Math.floor(x / size)) * 3
    const value = base + spread * 2 * (squares[square + (colorful ? at % 3 : 0)] ?? 0)
    pixels[at] = Math.min(255, Math.max(0, value))
  }
  return pixels
}

/** Windows with the height of the cover, and of the words at its bottom in Chromium. */
const windows = [
  { shape: 360 / 640, words: 240 / 640, isWide: false },
  { shape: 390 / 844, words: 240 / 844, isWide: false },
  { shape: 1280 / 512, words: 190 / 512, isWide: true },
  { shape: 1920 / 691, words: 200 / 691, isWide: true },
]

test('white words have a contrast of 4.5 at every point of 200 covers, and dark covers are not darkened', async () => {
  const shades: number[] = []
  for (let seed = 1; seed <= 200; seed++) {
    const pixels = createCover(seed)
    const picture = sharp(pixels, { raw: { width, height, channels: 3 } })
    // The thumbnail has as many pixels for those of the cover as one of 480 pixels for those of 1280.
    const thumbnail = await picture.resize(240).jpeg({ quality: 80 }).toBuffer()
    const { data, info } = await sharp(thumbnail).raw().toBuffer({ resolveWithObject: true })
    const small = await sharp(thumbnail).resize(focusEdge, focusEdge, { fit: 'fill' }).raw().toBuffer()
    const focus = findFocus(small)
    const levels = findLevels(data, info.width, info.height).toString('base64')
    const style = coverStyle(event, { photo, facts: { ...focus, levels, contentHash: '' } })
    const [narrow = 0, wide = 0] = [...style.matchAll(/--cover-shade:([\d.]+)/g)].map(([, shade]) => Number(shade))
    shades.push(narrow, wide)
    for (const { shape, words, isWide } of windows) {
      const area = wordsArea({ ratio: width / height, focus: { x: focus.focusX, y: focus.focusY }, shape, words })
      const lowest = lowestContrast(pixels, area, isWide ? wide : narrow)
      expect(lowest, `cover ${seed}, ${shape}`).toBeGreaterThanOrEqual(4.5)
    }
  }
  expect(shades.filter((shade) => shade === 0).length).toBeGreaterThan(40)
  expect(Math.max(...shades)).toBeLessThanOrEqual(0.56)
})

function lowestContrast(pixels: Buffer, area: ReturnType<typeof wordsArea>, shade: number): number {
  let lowest = Number.POSITIVE_INFINITY
  for (let y = Math.ceil(area.top * height); y < Math.floor(area.bottom * height); y += 7) {
    for (let x = Math.ceil(area.left * width); x < Math.floor(area.right * width); x += 5) {
      const ground = [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)].map(
        (part) => part * (1 - shade),
      )
      lowest = Math.min(lowest, contrast([255, 255, 255], ground as [number, number, number]))
    }
  }
  return lowest
}

test('the focus is where the detail is, or what the operator has chosen', () => {
  const plain = Buffer.alloc(focusEdge ** 2 * 3, 128)
  const pixels = Buffer.from(plain)
  for (let y = 4; y < 10; y++) {
    for (let x = 20; x < 28; x++) {
      const at = (y * focusEdge + x) * 3
      pixels.fill((x + y) % 2 ? 255 : 0, at, at + 3)
    }
  }
  const facts = { ...findFocus(pixels), levels: '', contentHash: '' }
  expect([Math.abs(facts.focusX - 75) < 6, Math.abs(facts.focusY - 22) < 6]).toEqual([true, true])
  expect(findFocus(plain)).toEqual({ focusX: 50, focusY: 40 })

  expect(coverStyle(event, { photo, facts })).toBe(`:root{--cover-x:${facts.focusX}%;--cover-y:${facts.focusY}%}`)
  const chosen = { ...event, cover_focus_x: 0, cover_focus_y: 100 }
  expect(coverStyle(chosen, { photo, facts })).toBe(':root{--cover-x:0%;--cover-y:100%}')
  expect(coverStyle(event, { photo, facts: null })).toBe(':root{--cover-x:50%;--cover-y:40%}')
})
