import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { languages, sourceLanguage } from '../contract/languages.ts'
import { nameLanguage } from './name-language.ts'
import type { Message } from './translate.ts'

type Catalog = { [key: string]: Message | Record<string, Message> }

const listFiles = (language: string): string[] => readdirSync(new URL(`${language}/`, import.meta.url)).sort()
const catalogFiles = listFiles(sourceLanguage)
const files = languages.flatMap((language) => catalogFiles.map((file) => ({ language, file })))

/** Returns the messages by their paths. Plural forms are one message. */
function readMessages(language: string, file: string): Map<string, Message> {
  const catalog: Catalog = JSON.parse(readFileSync(new URL(`${language}/${file}`, import.meta.url), 'utf8'))
  const isMessage = (value: Catalog[string]): value is Message => typeof value === 'string' || 'other' in value
  return new Map(
    Object.entries(catalog).flatMap(
      ([key, value]): Array<[string, Message]> =>
        isMessage(value)
          ? [[key, value]]
          : Object.entries(value).map(([inner, message]): [string, Message] => [`${key}.${inner}`, message]),
    ),
  )
}

const listForms = (text: Message | undefined): string[] =>
  typeof text === 'string' ? [text] : Object.values(text ?? {})

const listPlaceholders = (forms: readonly string[]): string[] =>
  [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort()

test('each language is a folder that has the files of the English one', () => {
  const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true }).filter((one) => one.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual(languages.toSorted())
  for (const language of languages) expect(listFiles(language), language).toEqual(catalogFiles)
  expect(Intl.PluralRules.supportedLocalesOf([...languages])).toEqual([...languages])
  expect(languages.map(nameLanguage)).toEqual(['English', 'Deutsch'])
})

describe.each(files)('$language/$file', ({ language, file }) => {
  const english = readMessages(sourceLanguage, file)
  const messages = readMessages(language, file)

  test('has exactly the keys of the English file', () => {
    expect([...messages.keys()].sort()).toEqual([...english.keys()].sort())
  })

  test('has no empty message and uses the placeholders of the English message, in the form `other` too', () => {
    for (const [key, text] of messages) {
      const expected = listPlaceholders(listForms(english.get(key)))
      expect([key, listPlaceholders(listForms(text))]).toEqual([key, expected])
      if (typeof text !== 'string') expect([key, listPlaceholders([text.other])]).toEqual([key, expected])
      for (const form of listForms(text)) expect(form.trim(), key).not.toBe('')
    }
  })

  test('has exactly the plural forms of its language where numbers are counted', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()
    for (const [key, text] of messages) {
      if (typeof text !== 'string') expect([key, Object.keys(text).sort()]).toEqual([key, forms])
    }
  })
})
