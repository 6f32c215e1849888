import { translator } from '../../app/language.ts'
import { formatList } from '../../components/format-list.ts'
import type { GuestNames } from '../guest-names.ts'
import type { PicksChoice } from '../picks-choice.ts'

const t = translator('proofing')

export function describePicks({ guestIds, way, show }: PicksChoice, names: GuestNames, count: number): string {
  const guests = guestIds.map(names.of)
  if (guests.length === 0)
    return t(({ all: 'shownAll', overlap: 'shownOverlap', everybody: 'shownEverybody' } as const)[show], { count })
  const all = formatList(guests, 'and')
  if (way === 'only') return t('shownOnly', { count, guests: all })
  if (guests.length === 1) return t('shownOne', { count, guests: all })
  return way === 'all'
    ? t('shownByAll', { count, guests: all })
    : t('shownByAny', { count, guests: formatList(guests, 'or') })
}
