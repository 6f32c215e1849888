import type { PickersWanted } from '../../../contract/picker-ways.ts'
import { translator } from '../desk/language.ts'
import { formatDate } from '../parts/time-words.ts'
import type { ExportAsked } from './exports-query.ts'
import type { GuestNames } from './guest-names.ts'
import { chosenAmong, exportQueryOf } from './picks-choice.ts'
import type { Picks } from './picks-query.ts'

const t = translator('proofing')

type ExportSet = { key: string; optionLabel: string; asked: ExportAsked }

export function exportSets({ photos, guests }: Picks, names: GuestNames, shown: PickersWanted): ExportSet[] {
  const everyPick = { guestIds: [], way: 'any', fewest: 1 } as const
  const isAllShown = shown.guestIds.length === 0 && shown.fewest === 1
  const handedIn = guests.flatMap(({ id, handed_in: last }) => (last ? [{ id, last }] : []))
  return [
    {
      key: 'shown',
      optionLabel: isAllShown
        ? t('setAll', { count: photos.length })
        : t('setShown', { count: chosenAmong(photos, shown).length }),
      asked: exportQueryOf(shown),
    },
    ...(isAllShown
      ? []
      : [{ key: 'all', optionLabel: t('setAll', { count: photos.length }), asked: exportQueryOf(everyPick) }]),
    ...handedIn.map(({ id, last }) => ({
      key: `selection ${last.id}`,
      optionLabel: t('setHandedIn', { guest: names.of(id), date: formatDate(last.created_at), count: last.count }),
      asked: { selection: last.id },
    })),
    { key: 'marked', optionLabel: t('setMarked'), asked: {} },
    { key: 'mine', optionLabel: t('setMine'), asked: { mark_source: 'mine' } },
  ]
}
