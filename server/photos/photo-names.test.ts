import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNameSortKey, createSearchText, foldCase, normalizeSearch } from './photo-names.ts'

/** SQLite and PostgreSQL compare text by its bytes. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const sorted = (names: readonly string[]) =>
  [...names].sort((a, b) => byBytes(createNameSortKey(a), createNameSortKey(b)))

const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('ß', 'ẞ', 'İ', 'i', 'ı', 'I', 'ς', 'Σ', '\u0307', '\u0301', 'é', 'ﬃ', 'A', '.', '1'),
  }),
)

test.each([
  ['IMG_1.JPG', 'img_1.jpg'],
  ['Straße', 'STRASSE'],
  ['Straße', 'STRAẞE'],
  ['İstanbul', 'istanbul'],
  ['ISPARTA', 'ısparta'],
  ['ΟΔΟΣ', 'οδος'],
  ['É\u0301t\u00e9', '\u00e9\u0301te\u0301'],
  ['Łódź', 'ŁÓDŹ'],
])('foldCase treats %j and %j as equal', (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other))
})

test.each([
  ['é', 'e'],
  ['ä', 'ae'],
  ['л', 'l'],
])('foldCase distinguishes %j and %j', (one, other) => {
  expect(foldCase(one)).not.toBe(foldCase(other))
})

test('foldCase is idempotent and independent of the Unicode form', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const folded = foldCase(name)
      expect(foldCase(folded)).toBe(folded)
      for (const form of ['NFC', 'NFD']) expect(foldCase(name.normalize(form))).toBe(folded)
    }),
    { numRuns: 300 },
  )
})

const photo = { filename: '1700000000000_0a1b2c3d.jpg', original_filename: 'Fête DSC_0012.JPG' }

test.each(['dsc_0012', 'FÊTE dsc', 'fe\u0302te', '1700000000000_0A1B', '.jpg', ' DSC '])(
  'searches in names find the photo by %j',
  (text) => {
    expect(createSearchText(photo)).toContain(normalizeSearch(text))
  },
)

test('searches in names never match across both names', () => {
  expect(createSearchText(photo)).not.toContain(normalizeSearch('3d.jpg\nfête'))
  expect(createSearchText({ filename: 'a\nb', original_filename: 'c' }).split('\n')).toEqual(['ab', 'c'])
})

test('searches in names find every name by itself', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(createSearchText({ filename: 'a.jpg', original_filename: name })).toContain(normalizeSearch(name))
    }),
  )
})

test.each([
  [['IMG_1.jpg', 'img_2.jpg', 'IMG_9.JPG', 'IMG_10.jpg', 'IMG_100.jpg', 'IMG_1000.jpg', 'IMH_1.jpg']],
  [['a.jpg', 'a (1).jpg', 'a-edited.jpg', 'a1.jpg', 'b.jpg']],
  [['1.jpg', '2.jpg', '11.jpg', 'a.jpg']],
  [['2026-06-01 9.jpg', '2026-06-01 10.jpg', '2026-06-12 1.jpg']],
  [['DSC_0002.jpg', 'DSC_0010.jpg', 'DSC_9999.jpg', 'DSC_10000.jpg']],
  [['straße 2.jpg', 'STRASSE 10.jpg', 'Straße 11.jpg']],
])('the natural order of names %j', (names) => {
  expect(sorted(names.toReversed())).toEqual(names)
})

test('the natural order of names follows any two numbers in a name', () => {
  const number = fc.bigInt({ min: 0n, max: 10n ** 40n })
  fc.assert(
    fc.property(number, number, fc.nat({ max: 3 }), (one, other, zeros) => {
      const key = (value: bigint) => createNameSortKey(`IMG_${'0'.repeat(zeros)}${value}.jpg`)
      expect(Math.sign(byBytes(key(one), key(other)))).toBe(one < other ? -1 : one > other ? 1 : 0)
    }),
  )
})

test('the natural order of names ignores case and Unicode form, with keys of at most 400 characters', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const key = createNameSortKey(name)
      expect(key.length).toBeLessThanOrEqual(400)
      expect(key.isWellFormed()).toBe(true)
      expect(createNameSortKey(name.normalize('NFD'))).toBe(createNameSortKey(name.normalize('NFC')))
      expect(createNameSortKey(foldCase(name))).toBe(key)
    }),
  )
  expect(createNameSortKey('1a'.repeat(127))).toHaveLength(400)
})
