import { useState, useSyncExternalStore } from 'react'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Button, IconButton } from '../components/button.tsx'
import { formatNumber, formatRelativeTime, formatTime } from '../components/format-time.ts'
import { Menu, MenuItem } from '../components/menu.tsx'
import { Table } from '../components/table.tsx'
import type { GuestNames } from '../feedback/guest-names.ts'
import type { PicksChoice } from '../feedback/picks-choice.ts'
import type { PickingGuest } from '../feedback/picks-query.ts'
import type { OtherSelections } from '../feedback/selections-query.ts'
import { Initials } from './initials.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { PersonalLinkDialog } from './personal-link-dialog.tsx'
import { EarlierSelections, SelectionStatus } from './submitted-selections.tsx'

const t = translator('feedback')
const maxCollapsedRows = 8

type Props = {
  guests: readonly PickingGuest[]
  earlier: OtherSelections['earlier']
  names: GuestNames
  choice: PicksChoice
  onChoose: (choice: PicksChoice) => void
  onErase: (guest: PickingGuest) => void
}

export function GuestTable({ guests, earlier, names, choice, onChoose, onErase }: Props) {
  const canEdit = useHasPermission()('events.edit')
  const isNarrow = useIsNarrow()
  const [isExpanded, setExpanded] = useState(false)
  const [merging, setMerging] = useState<PickingGuest | null>(null)
  const [linking, setLinking] = useState<PickingGuest | null>(null)
  const { guestIds } = choice
  const shown = isExpanded
    ? guests
    : guests.filter(({ id }, index) => index < maxCollapsedRows || guestIds.includes(id))
  const toggle = (id: string) =>
    onChoose({ ...choice, guestIds: guestIds.includes(id) ? guestIds.filter((one) => one !== id) : [...guestIds, id] })
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
                <button
                  type="button"
                  className="guest-choice"
                  aria-pressed={guestIds.includes(guest.id)}
                  onClick={() => toggle(guest.id)}
                >
                  <Initials names={names} guestId={guest.id} isChosen={guestIds.includes(guest.id)} />
                  <span className="guest-words">
                    <bdi>{names.of(guest.id)}</bdi>
                    {guest.email && <MailAddress address={guest.email} />}
                  </span>
                </button>
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
            ? [
                {
                  head: t('more'),
                  isHeadHidden: isNarrow,
                  cell: (guest: PickingGuest) => (
                    <Menu trigger={<IconButton icon="more" label={t('moreOf', { guest: names.of(guest.id) })} />}>
                      <MenuItem icon="link" onSelect={() => setLinking(guest)}>
                        {t('personalLink')}
                      </MenuItem>
                      {guests.length > 1 && (
                        <MenuItem icon="people" onSelect={() => setMerging(guest)}>
                          {t('merge')}
                        </MenuItem>
                      )}
                      <MenuItem icon="trash" onSelect={() => onErase(guest)}>
                        {t('erase')}
                      </MenuItem>
                    </Menu>
                  ),
                },
              ]
            : []),
        ]}
      />
      {shown.length < guests.length && (
        <Button kind="quiet" icon="down" onClick={() => setExpanded(true)}>
          {t('allGuests', { count: guests.length })}
        </Button>
      )}
      {linking && <PersonalLinkDialog guest={linking} names={names} onClose={() => setLinking(null)} />}
      {merging && <MergeDialog from={merging} guests={guests} names={names} onClose={() => setMerging(null)} />}
    </>
  )
}

/** A long address may break before the @. */
function MailAddress({ address }: { address: string }) {
  const at = address.lastIndexOf('@')
  return (
    <bdi className="guest-mail">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </bdi>
  )
}

/** Must match the width below which web/admin/components/table.css omits columns. */
const narrow = matchMedia('(max-width: 48rem)')

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange)
  return () => narrow.removeEventListener('change', onChange)
}

/** Returns whether tables omit their `isWideOnly` columns. */
const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
