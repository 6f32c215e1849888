import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Message } from './translate.ts'

/** Without the messages of the admin app: they are grouped by module, and a test in tests/architecture checks them. */
const files = ['exports', 'gallery', 'health'].flatMap((name) =>
  readdirSync(new URL(`${name}/`, import.meta.url)).map((file) => ({ name, file })),
)
const messagesIn = (name: string, file: string): Record<string, Message> =>
  JSON.parse(readFileSync(new URL(`${name}/${file}`, import.meta.url), 'utf8'))

const listPlaceholders = (text: Message): string[] => {
  const forms = typeof text === 'string' ? [text] : Object.values(text)
  return [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort()
}

describe.each(files)('$name/$file', ({ name, file }) => {
  const english = messagesIn(name, 'en.json')
  const messages = messagesIn(name, file)
  const locale = file.replace('.json', '')

  test('is named after a language and has exactly the keys of the English file', () => {
    expect(Intl.PluralRules.supportedLocalesOf(locale)).toEqual([locale])
    expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort())
  })

  test('has no empty message and uses the placeholders of the English message, in the form `other` too', () => {
    for (const [key, text] of Object.entries(messages)) {
      expect([key, listPlaceholders(text)]).toEqual([key, listPlaceholders(english[key] ?? '')])
      for (const form of typeof text === 'string' ? [text] : Object.values(text)) expect(form.trim(), key).not.toBe('')
    }
    for (const [key, text] of Object.entries(messages)) {
      if (typeof text !== 'string')
        expect([key, listPlaceholders(text.other)]).toEqual([key, listPlaceholders(english[key] ?? '')])
    }
  })

  test('has exactly the plural forms of its language where numbers are counted', () => {
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted()
    for (const [key, text] of Object.entries(messages)) {
      if (typeof text !== 'string') expect([key, Object.keys(text).sort()]).toEqual([key, forms])
    }
  })
})
