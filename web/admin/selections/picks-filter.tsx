import type { PickerMode } from '../../../contract/picker-modes.ts'
import { translator } from '../app/language.ts'
import { Chip } from '../components/chip.tsx'
import { formatNumber } from '../components/format-time.ts'
import { InlineChoice } from '../components/inline-choice.tsx'
import { createPickFilter, filterPicks, type PicksChoice } from '../feedback/picks-choice.ts'
import type { PickedPhoto } from '../feedback/picks-query.ts'

const t = translator('feedback')

type Props = {
  photos: readonly PickedPhoto[]
  pickers: readonly string[]
  choice: PicksChoice
  onChoose: (choice: PicksChoice) => void
  isByPicks: boolean
  onSort: (isByPicks: boolean) => void
}

export function PicksFilter({ photos, pickers, choice, onChoose, isByPicks, onSort }: Props) {
  const count = (next: PicksChoice) => formatNumber(filterPicks(photos, createPickFilter(next, pickers)).length)
  const option = (next: PicksChoice, label: string) => (
    <Chip key={label} isOn={next.show === choice.show && next.way === choice.way} onClick={() => onChoose(next)}>
      {label} <span className="chip-count">{count(next)}</span>
    </Chip>
  )
  const { guestIds } = choice
  const ways: Array<[PickerMode, string]> =
    guestIds.length === 1
      ? [
          [choice.way === 'all' ? 'all' : 'any', t('wayOne')],
          ['only', t('wayOnlyOne')],
        ]
      : [
          ['any', t('wayAny')],
          ['all', t('wayAll')],
          ['only', t('wayOnly')],
        ]
  return (
    <div className="toolbar picks-filter">
      <fieldset className="chips">
        <legend className="heard">{t('filter')}</legend>
        {guestIds.length > 0 ? (
          <>
            {ways.map(([way, label]) => option({ ...choice, way }, label))}
            <Chip isOn={false} onClick={() => onChoose({ guestIds: [], way: 'any', show: 'all' })}>
              {t('allAgain')}
            </Chip>
          </>
        ) : (
          <>
            {option({ ...choice, show: 'all' }, t('showAll'))}
            {pickers.length > 1 && option({ ...choice, show: 'overlap' }, t('showOverlap'))}
            {pickers.length > 2 && option({ ...choice, show: 'everybody' }, t('showEverybody'))}
          </>
        )}
      </fieldset>
      <InlineChoice
        label={t('sort')}
        value={isByPicks ? 'picks' : 'date'}
        onChange={(sort) => onSort(sort === 'picks')}
      >
        <option value="date">{t('sortDate')}</option>
        <option value="picks">{t('sortPicks')}</option>
      </InlineChoice>
    </div>
  )
}
