import { expect, test } from 'vitest'
import { getReaderLocale } from './reader-locale.ts'

test.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['de', ['en-GB', 'de-AT', 'de'], 'de-AT'],
  ['de', ['en-US'], 'de'],
  ['en', [], 'en'],
  ['en', ['en-US@posix', 'en-GB'], 'en-GB'],
])('formats dates of a page in %s for a reader with the languages %j as in %s', (page, wanted, locale) => {
  expect(getReaderLocale(page, wanted)).toBe(locale)
})
