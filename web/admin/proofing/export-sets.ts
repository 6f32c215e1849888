import type { PickersWanted } from '../../../contract/picker-ways.ts'
import { sayIn } from '../desk/language.ts'
import { dateWords } from '../parts/time-words.ts'
import type { ExportAsked } from './exports-query.ts'
import type { GuestNames } from './guest-names.ts'
import { chosenAmong, exportQueryOf } from './picks-choice.ts'
import type { Picks } from './picks-query.ts'

const say = sayIn('proofing')

type ExportSet = { key: string; words: string; asked: ExportAsked }

export function exportSets({ photos, guests }: Picks, names: GuestNames, shown: PickersWanted): ExportSet[] {
  const everyPick = { guestIds: [], way: 'any', fewest: 1 } as const
  const isAllShown = shown.guestIds.length === 0 && shown.fewest === 1
  const handedIn = guests.flatMap(({ id, handed_in: last }) => (last ? [{ id, last }] : []))
  return [
    {
      key: 'shown',
      words: isAllShown
        ? say('setAll', { count: photos.length })
        : say('setShown', { count: chosenAmong(photos, shown).length }),
      asked: exportQueryOf(shown),
    },
    ...(isAllShown
      ? []
      : [{ key: 'all', words: say('setAll', { count: photos.length }), asked: exportQueryOf(everyPick) }]),
    ...handedIn.map(({ id, last }) => ({
      key: `selection ${last.id}`,
      words: say('setHandedIn', { guest: names.of(id), date: dateWords(last.created_at), count: last.count }),
      asked: { selection: last.id },
    })),
    { key: 'marked', words: say('setMarked'), asked: {} },
    { key: 'mine', words: say('setMine'), asked: { mark_source: 'mine' } },
  ]
}
