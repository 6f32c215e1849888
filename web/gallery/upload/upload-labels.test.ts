import { expect, test } from 'vitest'
import german from '../../../locales/de/gallery.json' with { type: 'json' }
import english from '../../../locales/en/gallery.json' with { type: 'json' }
import { t } from '../../../locales/translate.ts'
import { formatNames, reportMessage } from './upload-labels.ts'

const inEnglish = (key: keyof typeof english, values = {}) => t('en', english, key, values)
const inGerman = (key: keyof typeof english, values = {}) => t('de', german, key, values)
const report = { added: 12, hidden: 0, rejected: 2, failed: 1, groups: [] }

test('summarizes what was added and what was not, without empty parts', () => {
  expect(reportMessage(inEnglish, report, 1)).toBe('12 added, 1 already chosen, 2 not accepted, 1 failed')
  expect(reportMessage(inGerman, report, 1)).toBe(
    '12 hinzugefügt, 1 bereits ausgewählt, 2 nicht angenommen, 1 fehlgeschlagen',
  )
  expect(reportMessage(inEnglish, { ...report, rejected: 0, failed: 0 }, 0)).toBe('12 added')
  expect(reportMessage(inEnglish, { ...report, added: 0, failed: 0 }, 0)).toBe('No files added, 2 not accepted')
})

test('shortens a long list of names', () => {
  expect(formatNames(inEnglish, ['a', 'b'])).toBe('a, b')
  expect(formatNames(inEnglish, ['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e and 2 more')
})
