import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Text } from './say.ts'

/** Those of the desk, which have rooms, are held by tests/architecture/admin-texts.test.ts. */
const files = ['gallery', 'health'].flatMap((name) =>
  readdirSync(new URL(`${name}/`, import.meta.url)).map((file) => ({ name, file })),
)
const textsIn = (name: string, file: string): Record<string, Text> =>
  JSON.parse(readFileSync(new URL(`${name}/${file}`, import.meta.url), 'utf8'))

/** Of a text in all its forms: what is put into it. */
const slotsOf = (text: Text): string[] => {
  const forms = typeof text === 'string' ? [text] : Object.values(text)
  return [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort()
}

describe.each(files)('$name/$file', ({ name, file }) => {
  const english = textsIn(name, 'en.json')
  const texts = textsIn(name, file)
  const locale = file.replace('.json', '')

  test('is named by a language, and has the texts of the English one, none missing and none besides', () => {
    expect(Intl.PluralRules.supportedLocalesOf(locale)).toEqual([locale])
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort())
  })

  test('says something everywhere, and puts in what the English one puts in', () => {
    for (const [key, text] of Object.entries(texts)) {
      expect([key, slotsOf(text)]).toEqual([key, slotsOf(english[key] ?? '')])
      for (const form of typeof text === 'string' ? [text] : Object.values(text)) expect(form.trim(), key).not.toBe('')
    }
  })

  test('shows the values of the English text in the form `other` too, which most numbers take', () => {
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text !== 'string') expect([key, slotsOf(text.other)]).toEqual([key, slotsOf(english[key] ?? '')])
    }
  })

  test('has the plural forms that its language has, where numbers are counted', () => {
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted()
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text !== 'string') expect([key, Object.keys(text).sort()]).toEqual([key, forms])
    }
  })
})
