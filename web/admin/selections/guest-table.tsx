import { translator } from '../app/language.ts'
import { formatNumber, formatRelativeTime, formatTime } from '../components/format-time.ts'
import { Table } from '../components/table.tsx'
import type { PickingGuest } from '../feedback/picks-query.ts'
import type { OtherSelections } from '../feedback/selections-query.ts'
import { GuestChoice, type GuestsProps, useCollapsedGuests, useGuestMenu, useIsNarrow } from './guest-parts.tsx'
import { EarlierSelections, SelectionStatus } from './submitted-selections.tsx'

const t = translator('feedback')

type Props = GuestsProps & { earlier: OtherSelections['earlier'] }

export function GuestTable({ earlier, ...props }: Props) {
  const { guests, names, choice, onChoose } = props
  const isNarrow = useIsNarrow()
  const { shown, showAll } = useCollapsedGuests(guests, choice)
  const { canEdit, renderMenu, dialogs } = useGuestMenu(props)
  const submitted = (guest: PickingGuest) => {
    const selections = earlier.get(guest.id) ?? []
    return (
      <>
        <SelectionStatus guest={guest} name={names.of(guest.id)} earlier={selections} />
        <EarlierSelections selections={selections} />
      </>
    )
  }
  return (
    <>
      <Table
        caption={t('guestsCaption')}
        rows={shown}
        rowKey={({ id }) => id}
        columns={[
          {
            head: t('guest'),
            cell: (guest) => (
              <>
                <GuestChoice guest={guest} names={names} choice={choice} onChoose={onChoose} />
                {isNarrow && <div className="guest-submitted">{submitted(guest)}</div>}
              </>
            ),
          },
          { head: t('picks'), isNumeric: true, cell: ({ pick_count }) => formatNumber(pick_count) },
          {
            head: t('comments'),
            isNumeric: true,
            isWideOnly: true,
            cell: ({ comment_count }) => formatNumber(comment_count),
          },
          {
            head: t('lastSeen'),
            isWideOnly: true,
            cell: ({ last_seen_at }) => (
              <time dateTime={last_seen_at} title={formatTime(last_seen_at)}>
                {formatRelativeTime(last_seen_at)}
              </time>
            ),
          },
          ...(isNarrow ? [] : [{ head: t('handedIn'), cell: submitted }]),
          ...(canEdit
            ? [{ head: t('more'), isHeadHidden: isNarrow, cell: (guest: PickingGuest) => renderMenu(guest) }]
            : []),
        ]}
      />
      {showAll}
      {dialogs}
    </>
  )
}
