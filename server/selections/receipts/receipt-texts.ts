import type { SnapshotPhoto } from '../../../contract/gallery/rounds.ts'
import type { TranslateCatalog } from '../../../locales/catalogs.ts'
import type { AgreedSelection } from './agreed-selections.ts'

export type TranslateReceipt = TranslateCatalog<'receipts'>

export const nameGuest = (t: TranslateReceipt, { people }: AgreedSelection): string =>
  people === null ? t('erasedGuest') : (people.guest_name ?? t('unnamedGuest'))

/** Returns what the guest wrote about each photo, by its id. */
export function groupTexts(t: TranslateReceipt, { people }: AgreedSelection): Map<number, string[]> {
  const texts = new Map<number, string[]>()
  for (const { photo_id, kind, text } of people?.comments ?? []) {
    const line = t('text', { kind: t(`kind_${kind}`), text })
    texts.set(photo_id, [...(texts.get(photo_id) ?? []), line])
  }
  return texts
}

export const listMarks = (t: TranslateReceipt, { rating, color_label, is_liked }: SnapshotPhoto): string[] => [
  ...(rating === null ? [] : [t('stars', { count: rating })]),
  ...(color_label === null ? [] : [t(color_label)]),
  ...(is_liked ? [t('liked')] : []),
]
