import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Face, Font, Blob as FontBlob, Buffer as Line, shape } from 'harfbuzzjs'
import subsetFont from 'subset-font'
import { must } from '../contract/must.ts'
import type { Typeface } from '../contract/themes.ts'
import { isStale, root } from './is-stale.ts'

const folder = join(root, 'web/typefaces')
const sources = ['package-lock.json', 'contract/themes.ts', 'tools/write-typefaces.ts']

/** The characters of each file, without overlaps. Browsers load only the files whose characters a page has. */
const ranges = {
  latin:
    'U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2032-2033,U+2039-203A,U+2044,U+20AC,U+2122,U+2212',
  'latin-ext': 'U+0100-0130,U+0132-0151,U+0154-017F,U+0218-021B,U+1E9E,U+20A0-20AB,U+20AD-20BF',
  cyrillic: 'U+0400-045F,U+0490-0491,U+2116',
  greek: 'U+0370-03FF',
}

type Axes = Record<string, number | { min: number; max: number }>
type Cut = { font: string; file: string; axes: Axes }

const literata = (axes: Axes, style = 'normal'): Cut => ({ font: 'literata', file: `opsz-${style}`, axes })
const garamond = (wght: number, style = 'normal'): Cut => ({
  font: 'eb-garamond',
  file: `wght-${style}`,
  axes: { wght },
})
const commissioner = (axes: Axes): Cut => {
  return { font: 'commissioner', file: 'full-normal', axes: { FLAR: 0, VOLM: 0, slnt: 0, ...axes } }
}

/** `text` is regular, italic and bold. Without it, the font of the title is that of texts, too. */
type Pair = { generic: keyof typeof fallbacks; title: Cut; greekTitle?: Cut; text?: Cut[] }
const pairs: Record<Typeface, Pair> = {
  literata: {
    generic: 'serif',
    title: literata({ opsz: 72, wght: 300 }),
    text: [
      literata({ opsz: 14, wght: 400 }),
      literata({ opsz: 14, wght: 400 }, 'italic'),
      literata({ opsz: 14, wght: 600 }),
    ],
  },
  cormorant: {
    generic: 'serif',
    title: { font: 'cormorant', file: 'wght-italic', axes: { wght: 500 } },
    greekTitle: garamond(400, 'italic'),
    text: [garamond(400), garamond(400, 'italic'), garamond(600)],
  },
  commissioner: {
    generic: 'sans',
    // Strokes that widen at their ends.
    title: commissioner({ FLAR: 100, wght: 300 }),
    text: [commissioner({ wght: 400 }), commissioner({ wght: 400, slnt: -12 }), commissioner({ wght: 600 })],
  },
  manrope: { generic: 'sans', title: { font: 'manrope', file: 'wght-normal', axes: { wght: { min: 300, max: 600 } } } },
}

const samples = {
  title: 'Anna & Florian, Maria & Jonas, Charlotte & Theo, Emma & Liam, Sophie & Max, Clara & Dan, Julia & Paul 2026',
  text: 'Thank you for celebrating with us. Here are our favourite moments of the day: die Trauung im Garten, das Fest und der Tanz bis in die Nacht.',
}

/**
 * Fonts of systems, and the width of the samples in them, in ems. A page uses the first that is installed until its own
 * font is loaded.
 */
const fallback = (local: string[], title: number, text: number) => ({ local, widths: { title, text } })
const times = fallback(['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif', 'Tinos'], 46.45, 56.7)
const notoSerif = fallback(['Noto Serif', 'NotoSerif-Regular'], 52.2, 67.32)
const arial = fallback(['Arial', 'ArialMT', 'Liberation Sans', 'Arimo'], 49.62, 62.35)
const roboto = fallback(['Roboto', 'Roboto-Regular'], 48.11, 61.87)
const notoSans = fallback(['Noto Sans', 'NotoSans-Regular', 'Open Sans', 'OpenSans-Regular'], 50.51, 65.48)
const fallbacks = { serif: [times, notoSerif, notoSans], sans: [arial, roboto, notoSans] }

/** Writes the fonts and style sheets of all typefaces into `web/typefaces`, from which the builds of both apps read them. */
export async function writeTypefacesIfStale(): Promise<void> {
  if (!isStale(join(folder, 'samples.css'), sources)) return
  await mkdir(folder, { recursive: true })
  const admin: string[] = []
  for (const [name, { generic, title, greekTitle, text }] of Object.entries(pairs)) {
    const titles = await writeFace(`${name}-title`, 'title', generic, [title], greekTitle)
    const texts = text && (await writeFace(`${name}-text`, 'text', generic, text))
    const stacks = `.type-${name}{--title-face:${titles.stack};--text-face:${(texts ?? titles).stack}}`
    await writeFile(join(folder, `${name}.css`), `${titles.rules}${texts?.rules ?? ''}${stacks}`)
    await writeFile(join(folder, `${name}-sample.woff2`), await cutFont(title, 'latin', 'Aan & Be', 'woff2'))
    admin.push(`@font-face{font-family:"${name}-title";src:url("./${name}-sample.woff2");${weights(title)}}
.type-${name}{--title-face:"${name}-title",var(--${generic})}`)
  }
  await writeFile(join(folder, 'samples.css'), admin.join('\n'))
}

const styles = ['', 'font-style:italic;', 'font-weight:600;']

async function writeFace(
  family: string,
  role: keyof typeof samples,
  generic: Pair['generic'],
  cuts: Cut[],
  greek?: Cut,
) {
  let rules = ''
  for (const [index, cut] of cuts.entries()) {
    for (const [slice, range] of Object.entries(ranges)) {
      const file = `${family}-${index > 0 ? `${index}-` : ''}${slice}.woff2`
      const source = (slice === 'greek' && greek) || cut
      await writeFile(join(folder, file), await cutFont(source, slice, charactersIn(range), 'woff2'))
      rules += `@font-face{font-family:"${family}";src:url("./${file}") format("woff2");${styles[index]}${weights(cut)}font-display:swap;unicode-range:${range}}\n`
    }
  }
  const { width, ascent, descent } = await measure(must(cuts[0], 'the regular font'), samples[role])
  const stack = [`"${family}"`]
  for (const { local, widths } of fallbacks[generic]) {
    const scale = width / widths[role]
    const metrics = { 'size-adjust': scale, 'ascent-override': ascent / scale, 'descent-override': descent / scale }
    const descriptors = Object.entries({ ...metrics, 'line-gap-override': 0 }).map(
      ([name, share]) => `${name}:${(share * 100).toFixed(2)}%;`,
    )
    const fonts = local.map((font) => `local("${font}")`).join()
    rules += `@font-face{font-family:"${local[0]} for ${family}";src:${fonts};${descriptors.join('')}unicode-range:${Object.values(ranges).join()}}\n`
    stack.push(`"${local[0]} for ${family}"`)
  }
  return { rules, stack: [...stack, `var(--${generic})`].join() }
}

const weights = ({ axes: { wght } }: Cut): string =>
  typeof wght === 'object' ? `font-weight:${wght.min} ${wght.max};` : ''

/** Returns the width of the sample, the ascent and the descent, in ems. */
async function measure(cut: Cut, sample: string): Promise<{ width: number; ascent: number; descent: number }> {
  const bytes = await cutFont(cut, 'latin', sample, 'sfnt')
  const face = new Face(new FontBlob(new Uint8Array(bytes).buffer))
  const font = new Font(face)
  const line = new Line()
  line.addText(sample)
  line.guessSegmentProperties()
  shape(font, line)
  const width = line.getGlyphPositions().reduce((sum, { xAdvance }) => sum + xAdvance, 0)
  const { ascender, descender } = font.hExtents()
  return { width: width / face.upem, ascent: ascender / face.upem, descent: -descender / face.upem }
}

/** With all features, the file of Manrope, which has several weights, would be too large. */
const features = ['kern', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum']
const moreFeatures = ['liga', 'calt', 'lnum', 'pnum']

async function cutFont({ font, file, axes }: Cut, slice: string, text: string, targetFormat: 'woff2' | 'sfnt') {
  const path = `node_modules/@fontsource-variable/${font}/files/${font}-${slice}-${file}.woff2`
  const keepFeatures = font === 'manrope' ? features : [...features, ...moreFeatures]
  const options = { targetFormat, variationAxes: axes, keepFeatures, noHinting: true }
  return subsetFont(await readFile(join(root, path)), text, options)
}

const charactersIn = (range: string): string =>
  range
    .split(',')
    .flatMap((part) => {
      const [from = 0, to = from] = part.match(/[\dA-F]+/g)?.map((hex) => Number.parseInt(hex, 16)) ?? []
      return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))
    })
    .join('')
