import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldCase, nameSortOf, searchedText, searchTextOf } from './photo-names.ts'

/** As both databases compare text. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const sorted = (names: readonly string[]) => [...names].sort((a, b) => byBytes(nameSortOf(a), nameSortOf(b)))

const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('ß', 'ẞ', 'İ', 'i', 'ı', 'I', 'ς', 'Σ', '\u0307', '\u0301', 'é', 'ﬃ', 'A', '.', '1'),
  }),
)

describe('case does not count', () => {
  test.each([
    ['IMG_1.JPG', 'img_1.jpg'],
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['İstanbul', 'istanbul'],
    ['ISPARTA', 'ısparta'],
    ['ΟΔΟΣ', 'οδος'],
    ['É\u0301t\u00e9', '\u00e9\u0301te\u0301'],
    ['Łódź', 'ŁÓDŹ'],
  ])('%j is %j', (one, other) => {
    expect(foldCase(one)).toBe(foldCase(other))
  })

  test.each([
    ['é', 'e'],
    ['ä', 'ae'],
    ['л', 'l'],
  ])('%j is not %j', (one, other) => {
    expect(foldCase(one)).not.toBe(foldCase(other))
  })

  test('folded text stays as it is, and so does text in any Unicode form', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const folded = foldCase(name)
        expect(foldCase(folded)).toBe(folded)
        for (const form of ['NFC', 'NFD']) expect(foldCase(name.normalize(form))).toBe(folded)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what is searched', () => {
  const photo = { filename: '1700000000000_0a1b2c3d.jpg', original_filename: 'Fête DSC_0012.JPG' }

  test.each(['dsc_0012', 'FÊTE dsc', 'fe\u0302te', '1700000000000_0A1B', '.jpg', ' DSC '])('is found by %j', (text) => {
    expect(searchTextOf(photo)).toContain(searchedText(text))
  })

  test('never reaches from one name into the other', () => {
    expect(searchTextOf(photo)).not.toContain(searchedText('3d.jpg\nfête'))
    expect(searchTextOf({ filename: 'a\nb', original_filename: 'c' }).split('\n')).toEqual(['ab', 'c'])
  })

  test('finds a name by itself, whatever the name', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(searchTextOf({ filename: 'a.jpg', original_filename: name })).toContain(searchedText(name))
      }),
    )
  })
})

describe('the order of names', () => {
  test('counts numbers as numbers and case not at all', () => {
    const names = ['IMG_1.jpg', 'img_2.jpg', 'IMG_9.JPG', 'IMG_10.jpg', 'IMG_100.jpg', 'IMG_1000.jpg', 'IMH_1.jpg']
    expect(sorted(names.toReversed())).toEqual(names)
  })

  test.each([
    [['a.jpg', 'a (1).jpg', 'a-edited.jpg', 'a1.jpg', 'b.jpg']],
    [['1.jpg', '2.jpg', '11.jpg', 'a.jpg']],
    [['2026-06-01 9.jpg', '2026-06-01 10.jpg', '2026-06-12 1.jpg']],
    [['DSC_0002.jpg', 'DSC_0010.jpg', 'DSC_9999.jpg', 'DSC_10000.jpg']],
    [['straße 2.jpg', 'STRASSE 10.jpg', 'Straße 11.jpg']],
  ])('%j', (names) => {
    expect(sorted(names.toReversed())).toEqual(names)
  })

  test('is that of the numbers for every two numbers in one name', () => {
    const number = fc.bigInt({ min: 0n, max: 10n ** 40n })
    fc.assert(
      fc.property(number, number, fc.nat({ max: 3 }), (one, other, zeros) => {
        const key = (value: bigint) => nameSortOf(`IMG_${'0'.repeat(zeros)}${value}.jpg`)
        expect(Math.sign(byBytes(key(one), key(other)))).toBe(one < other ? -1 : one > other ? 1 : 0)
      }),
    )
  })

  test('is the same for names that differ in case or Unicode form alone; keys are bounded', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const key = nameSortOf(name)
        expect(key.length).toBeLessThanOrEqual(400)
        expect(key.isWellFormed()).toBe(true)
        expect(nameSortOf(name.normalize('NFD'))).toBe(nameSortOf(name.normalize('NFC')))
        expect(nameSortOf(foldCase(name))).toBe(key)
      }),
    )
    expect(nameSortOf('1a'.repeat(127))).toHaveLength(400)
  })
})
