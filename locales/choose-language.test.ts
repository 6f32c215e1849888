import { expect, test } from 'vitest'
import { chooseLanguage, findLanguage } from './choose-language.ts'

const supported = ['en', 'de', 'fi', 'pt-BR', 'zh-Hans', 'zh-Hant']

test.each([
  ['de', 'de'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['fr, de-AT, en', 'de'],
  // By quality, not by order.
  ['de;q=0.1, en', 'en'],
  ['en;q=0.5,de;q=0.9,fi;q=0.7', 'de'],
  ['fr;q=1.000, fi;q=0.123 , de ; q=0.12', 'fi'],
  // Equal qualities: by order.
  ['fi;q=0.8, de;q=0.8', 'fi'],
  // A language is more than its first two letters.
  ['fil, de;q=0.5', 'de'],
  ['den', 'en'],
  ['fil-PH', 'en'],
  // Exact, then without the last subtags, then a longer tag.
  ['pt-BR', 'pt-BR'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'en'],
  ['zh-Hant-TW', 'zh-Hant'],
  ['zh', 'zh-Hans'],
  ['zh-TW, de;q=0.1', 'de'],
  // Excluded.
  ['de;q=0', 'en'],
  ['de-AT, de;q=0, fi;q=0.1', 'fi'],
  ['pt, pt-BR;q=0.0, fi;q=0.1', 'fi'],
  ['de, de-AT;q=0', 'de'],
  ['en;q=0', 'en'],
  // Any.
  ['*', 'en'],
  ['fr, *;q=0.5, de;q=0.1', 'en'],
  // Malformed elements are ignored.
  ['', 'en'],
  ['de;q=2, fi;q=0.1', 'fi'],
  ['de;q=-1, de;level=1, de;q=1;x=y, de_AT, 12, ;q=1, fi;q=0.1', 'fi'],
  ['__proto__, ../de', 'en'],
])('%j chooses %s', (header, language) => {
  expect(chooseLanguage(header, supported, 'en')).toBe(language)
})

test('without a supported language, the default is chosen, unless it is excluded', () => {
  expect(chooseLanguage('fr', supported, 'de')).toBe('de')
  expect(chooseLanguage('*', supported, 'de')).toBe('de')
  expect(chooseLanguage('fr, de;q=0', supported, 'de')).toBe('en')
})

test('what comes after 1,000 characters or 50 languages is not read', () => {
  const chosen = (before: string) => chooseLanguage(`${before}de`, supported, 'en')
  expect(chosen('fr-FR,'.repeat(49))).toBe('de')
  expect(chosen('fr-FR,'.repeat(50))).toBe('en')
  expect(chosen(`${' '.repeat(997)},`)).toBe('de')
  expect(chosen(`${' '.repeat(999)},`)).toBe('en')
  // An element that is cut would be another language.
  expect(chooseLanguage(`${' '.repeat(998)}den`, supported, 'en')).toBe('en')
})

test('the languages of a browser are taken in their order', () => {
  expect(findLanguage(['en-US@posix', 'fil', 'de-AT', 'en'], supported)).toBe('de')
  expect(findLanguage(['fr', 'fil'], supported)).toBeNull()
})
