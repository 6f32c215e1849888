import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { formatPhotos } from '../../components/format-photos.ts'
import { formatNumber, formatRelativeTime, formatTime } from '../../components/format-time.ts'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { showError } from '../../components/notices.tsx'
import { Badge } from '../../components/page.tsx'
import { Table } from '../../components/table.tsx'
import type { GuestNames } from '../guest-names.ts'
import type { PicksChoice } from '../picks-choice.ts'
import type { PickingGuest } from '../picks-query.ts'
import { markSelection, type Selection, type useEarlierSelections } from '../selections-query.ts'
import { Initials } from './initials.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { PersonalLinkDialog } from './personal-link-dialog.tsx'

const t = translator('feedback')
const maxCollapsedRows = 8

type Props = {
  guests: readonly PickingGuest[]
  /** Selections before the last one, by guest. */
  earlier: ReturnType<typeof useEarlierSelections>
  names: GuestNames
  choice: PicksChoice
  onChoose: (choice: PicksChoice) => void
  onErase: (guest: PickingGuest) => void
}

export function GuestTable({ guests, earlier, names, choice, onChoose, onErase }: Props) {
  const canEdit = useHasPermission()('events.edit')
  const [isExpanded, setExpanded] = useState(false)
  const [merging, setMerging] = useState<PickingGuest | null>(null)
  const [linking, setLinking] = useState<PickingGuest | null>(null)
  const { guestIds } = choice
  const shown = isExpanded
    ? guests
    : guests.filter(({ id }, index) => index < maxCollapsedRows || guestIds.includes(id))
  const toggle = (id: string) =>
    onChoose({ ...choice, guestIds: guestIds.includes(id) ? guestIds.filter((one) => one !== id) : [...guestIds, id] })
  return (
    <section className="picks-guests" aria-label={t('guests')}>
      <Table
        caption={t('guestsCaption')}
        rows={shown}
        rowKey={({ id }) => id}
        columns={[
          {
            head: t('guest'),
            cell: ({ id, email }) => (
              <button
                type="button"
                className="guest-choice"
                aria-pressed={guestIds.includes(id)}
                onClick={() => toggle(id)}
              >
                <Initials names={names} guestId={id} isChosen={guestIds.includes(id)} />
                <span className="guest-words">
                  <bdi>{names.of(id)}</bdi>
                  {email && <MailAddress address={email} />}
                </span>
              </button>
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
          {
            head: t('handedIn'),
            cell: (guest) => (
              <>
                <SelectionStatus guest={guest} name={names.of(guest.id)} />
                <EarlierSelections selections={earlier.get(guest.id) ?? []} />
              </>
            ),
          },
          ...(canEdit
            ? [
                {
                  head: t('more'),
                  isWideOnly: true,
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
    </section>
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

function SelectionStatus({
  guest: { handed_in: last, pick_count },
  name: guest,
}: {
  guest: PickingGuest
  name: string
}) {
  if (!last) return <span className="quiet-text">{pick_count > 0 ? t('notYet') : t('nothing')}</span>
  return (
    <span className="handed-in">
      <Badge tone={last.changed_count > 0 ? 'warn' : 'good'}>
        {last.changed_count > 0 ? t('changedSince', { count: last.changed_count }) : formatSelected(last)}
      </Badge>
      <SubmittedAt time={last.created_at} />
      <Note note={last.note} />
      <SelectionDone selection={last} guest={guest} />
    </span>
  )
}

const EarlierSelections = ({ selections }: { selections: readonly Selection[] }) =>
  selections.length > 0 && (
    <details className="handed-in-earlier">
      <summary>{t('earlierSelections', { count: selections.length })}</summary>
      <ol>
        {selections.map((selection) => (
          <li key={selection.id} className="handed-in">
            <span>{t('selectionNumber', { number: selection.number, photos: formatSelected(selection) })}</span>
            <SubmittedAt time={selection.created_at} />
            <Note note={selection.note} />
          </li>
        ))}
      </ol>
    </details>
  )

const formatSelected = ({ count, video_count }: Pick<Selection, 'count' | 'video_count'>): string =>
  formatPhotos({ photo_count: count, video_count })

const SubmittedAt = ({ time }: { time: string }) => (
  <time dateTime={time} title={formatTime(time)} className="quiet-text">
    {formatRelativeTime(time)}
  </time>
)

const Note = ({ note }: { note: string | null }) =>
  note && (
    <q className="handed-in-note" dir="auto">
      {note}
    </q>
  )

type LastSelection = NonNullable<PickingGuest['handed_in']>

function SelectionDone({ selection: { id, done_at }, guest }: { selection: LastSelection; guest: string }) {
  const canEdit = useHasPermission()('photos.edit')
  const isDone = done_at !== null
  const mark = useMutation({ mutationFn: () => markSelection(id, isDone ? 'open' : 'done'), onError: showError })
  if (!canEdit) return isDone && <span className="quiet-text">{t('picksAreDone')}</span>
  return (
    <Button
      kind="quiet"
      icon={isDone ? 'refresh' : 'check'}
      isBusy={mark.isPending}
      onClick={() => mark.mutate()}
      aria-label={t(isDone ? 'picksReopenOf' : 'picksDoneOf', { guest })}
    >
      {t(isDone ? 'noteReopen' : 'noteDone')}
    </Button>
  )
}
