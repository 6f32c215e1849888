import type { SelectionDifference } from '../../../contract/gallery/rounds.ts'
import type { TranslateCatalog } from '../../../locales/catalogs.ts'
import { formatExtras } from '../../../locales/format-extras.ts'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import type { Block } from '../../platform/mail/letter.ts'
import type { EventRow } from '../event-rows.ts'
import { formatMailDay, type Letterhead, translateMail } from './write-letter.ts'

type TranslateMail = TranslateCatalog<'mails'>

/** Picks that were submitted with a package. */
export type SentRound = {
  purpose: string
  number: number
  count: number
  videoCount: number
  extraCount: number
  extraText: string
  difference: SelectionDifference
  /** For the recipient. */
  receiptPath: string
}

/** What can be picked in a round. */
export type RoundNumbers = {
  purpose: string
  included: number
  minimum: number
  maximum: number | null
  extra_text: string
  due_on: string | null
}

const maxNames = 200

function listNames(t: TranslateMail, names: readonly string[]): string {
  const shown = names.slice(0, maxNames).join(', ')
  const more = names.length - maxNames
  return more > 0 ? t('andMore', { names: shown, count: more }) : shown
}

export const listFiles = (t: TranslateMail, filenames: readonly string[], videoCount: number): Block => ({
  paragraph: [t(videoCount > 0 ? 'namesOfFiles' : 'namesOfPhotos', { names: listNames(t, filenames) })],
})

export function describeRound(t: TranslateMail, round: SentRound): Block {
  const { purpose, number, count, videoCount, extraCount, extraText } = round
  const line = t('roundOf', { purpose, number, photos: formatPhotoCount(t, count, videoCount) })
  return { paragraph: [extraCount > 0 ? `${line}, ${formatExtras(t, extraCount, extraText)}` : line] }
}

/** Returns nothing for the first round. */
export function describeDifference(
  t: TranslateMail,
  { difference: { from, added, removed, changed } }: SentRound,
): Block[] {
  if (from === null) return []
  const counts = { number: from.number, added: added.length, removed: removed.length, changed: changed.length }
  const lists = { added, removed, changed }
  const names = (['added', 'removed', 'changed'] as const).flatMap((key) =>
    lists[key].length === 0
      ? []
      : t(key, {
          names: listNames(
            t,
            lists[key].map(({ source_filename }) => source_filename),
          ),
        }),
  )
  return [{ paragraph: [t('difference', counts), ...names] }]
}

export function describeNumbers(head: Letterhead, numbers: RoundNumbers): Block {
  const t = translateMail(head)
  const { purpose, included, minimum, maximum, extra_text: price, due_on } = numbers
  return {
    paragraph: [
      t('included', { purpose, count: included }),
      ...(minimum > 0 ? [t('minimum', { count: minimum })] : []),
      ...(maximum === null ? [] : [t('maximum', { count: maximum })]),
      ...(price === '' ? [] : [t('priceOfExtra', { price })]),
      ...(due_on === null ? [] : [t('dueOn', { date: formatMailDay(head, Date.parse(due_on)) })]),
    ],
  }
}

export const picksLink = (head: Letterhead, { id }: EventRow) => ({
  button: translateMail(head)('openPicks'),
  url: `${head.origin}/admin/events/${id}/picks`,
})
