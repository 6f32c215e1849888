import type { PickerFilter } from '../../../../contract/picker-modes.ts'
import { translator } from '../../app/language.ts'
import { formatPhotos } from '../../components/format-photos.ts'
import { formatDate, formatTime } from '../../components/format-time.ts'
import type { GuestNames } from '../guest-names.ts'
import { createExportFilters, filterPicks, guestMarks } from '../picks-choice.ts'
import type { Picks } from '../picks-query.ts'
import type { Round } from '../rounds-query.ts'
import type { OtherSelections } from '../selections-query.ts'
import type { ExportFilters } from './exports-query.ts'

const t = translator('feedback')

export type ExportSet = {
  key: string
  optionLabel: string
  filters: ExportFilters
  /** The guest whose marks the export has; null for all guests. */
  guestId: string | null
  /** The picks that are agreed on with a guest now. */
  isLocked?: boolean
}

/** `rounds`: those of the selections, if the event has a package. */
type SubmittedPicks = Picks & OtherSelections & { rounds: readonly Round[] }

export function exportSets(
  { photos, guests, earlier, ofErasedGuests, rounds }: SubmittedPicks,
  names: GuestNames,
  shown: PickerFilter,
): ExportSet[] {
  const allPicks = { guestIds: [], way: 'any', minPickers: 1 } as const
  const allLabel = t('setAll', { count: photos.length })
  const isAllShown = shown.guestIds.length === 0 && shown.minPickers === 1
  const submitted = guests.flatMap(({ id, handed_in: last }) => [
    ...(last ? [{ id, selection: last, label: 'setHandedIn' as const }] : []),
    ...(earlier.get(id) ?? []).map((selection) => ({ id, selection, label: 'setEarlier' as const })),
  ])
  return [
    {
      key: 'shown',
      optionLabel: isAllShown ? allLabel : t('setShown', { count: filterPicks(photos, shown).length }),
      filters: createExportFilters(shown),
      guestId: shown.guestIds.length === 1 ? (shown.guestIds[0] ?? null) : null,
    },
    ...(isAllShown
      ? []
      : [{ key: 'all', optionLabel: allLabel, filters: createExportFilters(allPicks), guestId: null }]),
    ...submitted.map(({ id, selection, label }) => {
      const round = rounds.find(({ selection_id }) => selection_id === selection.id)
      const roundLabel = round?.state === 'submitted' ? 'setRoundSent' : 'setRoundLocked'
      return {
        key: `selection ${selection.id}`,
        optionLabel: t(round ? roundLabel : label, {
          guest: names.of(id),
          round: round?.number ?? 0,
          date: label === 'setEarlier' ? formatTime(selection.created_at) : formatDate(selection.created_at),
          photos: formatPhotos({ photo_count: selection.count, video_count: selection.video_count }),
        }),
        filters: { ...guestMarks, selection: selection.id, marks_of: id },
        guestId: id,
        isLocked: round?.is_current === true && round.state === 'locked',
      }
    }),
    ...ofErasedGuests.map((selection) => ({
      key: `selection ${selection.id}`,
      optionLabel: t('setErased', {
        date: formatTime(selection.created_at),
        photos: formatPhotos({ photo_count: selection.count, video_count: selection.video_count }),
      }),
      filters: { ...guestMarks, selection: selection.id },
      guestId: null,
    })),
    { key: 'marked', optionLabel: t('setMarked'), filters: guestMarks, guestId: null },
    { key: 'mine', optionLabel: t('setMine'), filters: { ...guestMarks, mark_source: 'mine' }, guestId: null },
  ]
}
