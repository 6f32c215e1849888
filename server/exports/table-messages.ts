import { readFileSync } from 'node:fs'
import type { ExportsMessageKey, ExportsMessages } from '../../locales/exports-messages.ts'
import { t } from '../../locales/translate.ts'

export type TableLanguage = 'en' | 'de'
export type TranslateTable = (key: ExportsMessageKey, values?: Record<string, string | number>) => string

const loaded = new Map<TableLanguage, ExportsMessages>()

/** Reads the file of the language once. */
export function getTableTranslator(language: TableLanguage): TranslateTable {
  const messages = loaded.get(language) ?? loadMessages(language)
  return (key, values) => t(language, messages, key, values)
}

function loadMessages(language: TableLanguage): ExportsMessages {
  const file = new URL(`../../locales/exports/${language}.json`, import.meta.url)
  const messages: ExportsMessages = JSON.parse(readFileSync(file, 'utf8'))
  loaded.set(language, messages)
  return messages
}
