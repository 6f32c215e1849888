import { expect, test } from 'vitest'
import { hasTooManyMarks, normalizeText } from './normalize-text.ts'

const acute = '\u0301'
const zalgo = (count: number) => `a${'\u0301\u0316'.repeat(count / 2)}`

test('text is in NFC, and in another form on request; 30 combining marks in a row are kept, more are removed', () => {
  expect(normalizeText('Zoe\u0308')).toBe('Zo\u00eb')
  expect(normalizeText('\ufb01', 'NFKC')).toBe('fi')
  expect(normalizeText(`q${acute.repeat(30)}r`)).toBe(`q${acute.repeat(30)}r`)
  expect(normalizeText(`q${acute.repeat(31)}r`)).toBe(`q${acute.repeat(30)}r`)
  expect(normalizeText(`q${acute.repeat(5_000)}q${acute.repeat(99)}`)).toBe(`q${acute.repeat(30)}`.repeat(2))
})

test('31 marks in a row are too many, 30 after each of many letters are not', () => {
  expect(hasTooManyMarks(`a${acute.repeat(31)}`)).toBe(true)
  expect(hasTooManyMarks(`a${acute.repeat(30)}`.repeat(100))).toBe(false)
  // The dots of a Thai and a Devanagari word, an emoji with a presentation selector, and a flag of a region.
  const words = ['\u0e19\u0e49\u0e33', '\u0939\u093f\u0928\u094d\u0926\u0940']
  for (const text of [...words, '\u2764\ufe0f'.repeat(50), '\u{1f469}\u200d\u{1f467}'])
    expect(hasTooManyMarks(text)).toBe(false)
})

const texts = {
  'marks of two classes': zalgo,
  'descending marks': (count: number) => `a${acute.repeat(count / 2)}${'\u0316'.repeat(count / 2)}`,
  'half-width marks of kana': (count: number) => '\uff9e\u0316'.repeat(count / 2),
  '30 marks after each letter': (count: number) => zalgo(30).repeat(count / 31),
}
test.each(Object.entries(texts))(
  'twice as long a text takes at most three times the processor time %s',
  (_name, create) => {
    const [short, long] = [2 ** 16, 2 ** 17].map((count) => {
      const text = create(count)
      return Math.min(...Array.from({ length: 2 }, () => measure(text)))
    }) as [number, number]
    // Processor time is counted in steps of some milliseconds.
    expect(long).toBeLessThanOrEqual(3 * Math.max(short, 40))
  },
)

function measure(text: string): number {
  const before = process.threadCpuUsage()
  normalizeText(text)
  normalizeText(text, 'NFKD')
  hasTooManyMarks(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
