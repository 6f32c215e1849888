import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventPrefix } from '../events/event-rules.ts'
import { newFileStem, originalKey, sanitizeOriginalName, thumbnailKey } from './photo-files.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400, size: 'max' }),
  fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    maxLength: 400,
    size: 'max',
  }),
  fc.string({
    unit: fc.constantFrom('a', '.', ' ', '/', '\\', '\0', '\u202e', '\u200f', '\ud83d', '\udc4d', '👍', 'é'),
    maxLength: 400,
    size: 'max',
  }),
)
const anyExtension = fc.stringMatching(/^\.[a-z0-9]{1,10}$/)

test.each([
  ['DSC_0001.JPG', 'DSC_0001.JPG'],
  ['fin de journée.jpg', 'fin de journée.jpg'],
  ['/home/ana/DSC_0001.jpg', 'DSC_0001.jpg'],
  ['C:\\Photos\\DSC_0001.jpg', 'DSC_0001.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['a\0b\nc\r\td.jpg', 'abcd.jpg'],
  ['line\u2028and\u2029paragraph.jpg', 'lineandparagraph.jpg'],
  ['half\ud83d.jpg', 'half.jpg'],
  ['party\u202egpj.exe', 'partygpj.exe'],
  ['\u202a\u202b\u202c\u202da\u2066\u2067\u2068\u2069\u200e\u200f.jpg', 'a.jpg'],
  ['👩\u200d❤️\u200d👩.jpg', '👩\u200d❤️\u200d👩.jpg'],
  ['e\u0301.jpg', '\u00e9.jpg'],
  ['  a.jpg ', 'a.jpg'],
  ['.jpg', '.jpg'],
])('sanitizeOriginalName stores %j as %j', (name, kept) => {
  expect(sanitizeOriginalName(name, '.png')).toBe(kept)
})

test('sanitizeOriginalName replaces a name without a visible character', () => {
  const names = [
    '',
    ' ',
    '.',
    '..',
    '...',
    '/',
    'folder/',
    'folder\\',
    '\0',
    '\ud83d',
    '\ufffd',
    '\n.\n',
    '\u202e.\u200f',
  ]
  for (const name of names) expect(sanitizeOriginalName(name, '.png'), JSON.stringify(name)).toBe('photo.png')
})

test('sanitizeOriginalName returns a safe name of 1 to 255 characters for any text', () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const safe = sanitizeOriginalName(name, '.jpg')
      expect(safe.length).toBeGreaterThanOrEqual(1)
      expect(safe.length).toBeLessThanOrEqual(255)
      expect(safe).not.toMatch(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]/u)
      expect(safe).not.toMatch(/^\.+$/)
      expect(safe.isWellFormed()).toBe(true)
      expect(safe).toBe(safe.normalize('NFC'))
      expect(sanitizeOriginalName(safe.trim(), '.jpg')).toBe(safe.trim())
    }),
    { numRuns: 200 },
  )
})

test('sanitizeOriginalName keeps the extension of a long name', () => {
  fc.assert(
    fc.property(anyText, anyExtension, (name, extension) => {
      const stem = name.replace(/[/\\]/g, '')
      fc.pre(/[a-z]/.test(stem))
      expect(sanitizeOriginalName(stem + extension, '.png').endsWith(extension)).toBe(true)
    }),
  )
})

test('sanitizeOriginalName truncates to 255 characters without splitting one', () => {
  expect(sanitizeOriginalName(`${'a'.repeat(300)}.jpeg`, '.png')).toBe(`${'a'.repeat(250)}.jpeg`)
  expect(sanitizeOriginalName(`${'👍'.repeat(200)}.jpg`, '.png')).toBe(`${'👍'.repeat(125)}.jpg`)
  expect(sanitizeOriginalName('a'.repeat(300), '.png')).toBe('a'.repeat(255))
  expect(sanitizeOriginalName(`${'a'.repeat(251)}.jpg`, '.png')).toHaveLength(255)
})

test('a stored name contains only time and random characters', () => {
  expect(newFileStem(1_777_777_777_777)).toMatch(/^1777777777777_[0-9a-f]{8}$/)
  expect(new Set(Array.from({ length: 50 }, () => newFileStem(1))).size).toBe(50)
})

test('keys of an event only have the prefix of that event', () => {
  const keys = [originalKey(7, 'a.jpg'), thumbnailKey(7, 'a.jpg')]
  expect(new Set(keys).size).toBe(2)
  for (const key of keys) expect(key.startsWith(`${eventPrefix(7)}/`)).toBe(true)
  for (const key of keys) expect(key.startsWith(`${eventPrefix(77)}/`)).toBe(false)
})
