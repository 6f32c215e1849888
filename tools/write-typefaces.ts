import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Face, Font, Blob as FontBlob, Buffer as Line, shape } from 'harfbuzzjs'
import subsetFont from 'subset-font'
import type { Typeface } from '../contract/themes.ts'
import { isStale, root } from './is-stale.ts'

const folder = join(root, 'web/typefaces')
const sources = ['package-lock.json', 'contract/themes.ts', 'tools/write-typefaces.ts']

/**
 * The characters of each file, without overlaps. Browsers load only the files whose characters a page has. `latin` has
 * what most pages need, and `latin-1` the rest of the same file in the package.
 */
const ranges = {
  latin:
    'U+0020-0022,U+0025-003B,U+003F-005A,U+0061-007A,U+00A0,U+00A9,U+00AB,U+00B7,U+00BB,U+00C4,U+00C9,U+00D6,U+00DC,U+00DF-00E2,U+00E4,U+00E7-00EA,U+00ED,U+00F1,U+00F3-00F4,U+00F6,U+00FA,U+00FC,U+2013-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+20AC',
  'latin-1':
    'U+0023-0024,U+003C-003E,U+005B-0060,U+007B-007E,U+00A1-00A8,U+00AA,U+00AC-00B6,U+00B8-00BA,U+00BC-00C3,U+00C5-00C8,U+00CA-00D5,U+00D7-00DB,U+00DD-00DE,U+00E3,U+00E5-00E6,U+00EB-00EC,U+00EE-00F0,U+00F2,U+00F5,U+00F7-00F9,U+00FB,U+00FD-00FF,U+0131,U+0152-0153,U+2010-2012,U+2015,U+201B,U+2020-2021,U+2030,U+2032-2033,U+2039-203A,U+2044,U+2122,U+2212',
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

const sample =
  'Thank you for celebrating with us. Here are our favourite moments of the day: die Trauung im Garten, das Fest und der Tanz bis in die Nacht.'

/**
 * Fonts of systems, and the width of the sample in them, in ems. A page uses the first that is installed until its own
 * font of texts is loaded.
 */
const fallback = (local: string[], width: number) => ({ local, width })
const times = fallback(['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif', 'Tinos'], 56.7)
const notoSerif = fallback(['Noto Serif', 'NotoSerif-Regular'], 67.32)
const arial = fallback(['Arial', 'ArialMT', 'Liberation Sans', 'Arimo'], 62.35)
const roboto = fallback(['Roboto', 'Roboto-Regular'], 61.87)
const notoSans = fallback(['Noto Sans', 'NotoSans-Regular', 'Open Sans', 'OpenSans-Regular'], 65.48)
const fallbacks = { serif: [times, notoSerif, notoSans], sans: [arial, roboto, notoSans] }

/** Writes the fonts and style sheets of all typefaces into `web/typefaces`, from which the builds of both apps read them. */
export async function writeTypefacesIfStale(): Promise<void> {
  if (!isStale(join(folder, 'samples.css'), sources)) return
  await mkdir(folder, { recursive: true })
  const admin: string[] = []
  for (const [name, { generic, title, greekTitle, text }] of Object.entries(pairs)) {
    const titleStack = `"${name}-title",var(--${generic})`
    const titles = await writeFonts(`${name}-title`, [title], greekTitle)
    const like = text?.[0] && (await adjustFallbacks(text[0], `${name}-text`, generic))
    const stacks = `.type-${name}{--title-face:${titleStack};--text-face:${like?.stack ?? titleStack}}`
    await writeFile(join(folder, `${name}-title.css`), [titles, like?.rules, stacks].join(''))
    if (text) {
      const texts = await writeFonts(`${name}-text`, text)
      const style = `${texts}.type-${name}{--text-face:"${name}-text",${like?.stack}}`
      await writeFile(join(folder, `${name}-text.css`), style)
    }
    await writeFile(join(folder, `${name}-sample.woff2`), await cutFont(title, 'latin', 'Aan & Be', 'woff2'))
    admin.push(`@font-face{font-family:"${name}-title";src:url("./${name}-sample.woff2");${weights(title)}}
.type-${name}{--title-face:${titleStack}}`)
  }
  await writeFile(join(folder, 'samples.css'), admin.join('\n'))
}

const styles = ['', 'font-style:italic;', 'font-weight:600;']

/** Returns the CSS rules of the written fonts. */
async function writeFonts(family: string, cuts: Cut[], greek?: Cut): Promise<string> {
  let rules = ''
  for (const [index, cut] of cuts.entries()) {
    for (const [slice, range] of Object.entries(ranges)) {
      const file = `${family}-${index > 0 ? `${index}-` : ''}${slice}.woff2`
      const source = (slice === 'greek' && greek) || cut
      await writeFile(join(folder, file), await cutFont(source, slice, charactersIn(range), 'woff2'))
      rules += `@font-face{font-family:"${family}";src:url("./${file}") format("woff2");${styles[index]}${weights(cut)}font-display:${slice === 'latin' ? 'block' : 'swap'};unicode-range:${range}}\n`
    }
  }
  return rules
}

/** Returns CSS rules that give fonts of systems the width and height of a font, and their names. */
async function adjustFallbacks(cut: Cut, family: string, generic: Pair['generic']) {
  let rules = ''
  const stack: string[] = []
  const { width, ascent, descent } = await measure(cut)
  for (const { local, width: fallbackWidth } of fallbacks[generic]) {
    const scale = width / fallbackWidth
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
async function measure(cut: Cut): Promise<{ width: number; ascent: number; descent: number }> {
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
const features = ['kern', 'tnum']
const moreFeatures = ['liga', 'lnum']
const featuresBeyondLatin = ['ccmp', 'locl']

async function cutFont({ font, file, axes }: Cut, slice: string, text: string, targetFormat: 'woff2' | 'sfnt') {
  const source = slice === 'latin-1' ? 'latin' : slice
  const path = `node_modules/@fontsource-variable/${font}/files/${font}-${source}-${file}.woff2`
  const keepFeatures = [
    ...features,
    ...(font === 'manrope' ? [] : moreFeatures),
    ...(slice === 'latin' ? [] : featuresBeyondLatin),
  ]
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
