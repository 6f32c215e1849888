import { useMutation } from '@tanstack/react-query'
import { translator } from '../app/language.ts'
import { Button } from '../components/button.tsx'
import { formatPhotos } from '../components/format-photos.ts'
import { formatRelativeTime, formatTime } from '../components/format-time.ts'
import { showError } from '../components/notices.tsx'
import { Badge } from '../components/page.tsx'
import { useCanChange, useEvent } from '../events/event-context.tsx'
import type { PickingGuest } from '../feedback/picks-query.ts'
import { receiptUrl } from '../feedback/rounds-query.ts'
import { markSelection, type Selection } from '../feedback/selections-query.ts'

const t = translator('feedback')
const tRounds = translator('rounds')

export function SelectionStatus({
  guest: { handed_in: last, pick_count },
  name: guest,
  earlier,
}: {
  guest: PickingGuest
  name: string
  earlier: readonly Selection[]
}) {
  if (!last) return <span className="quiet-text">{pick_count > 0 ? t('notYet') : t('nothing')}</span>
  // A guest who submits again seldom repeats the message.
  const noted = last.note ? last : earlier.find(({ note }) => note)
  return (
    <span className="handed-in">
      <Badge tone={last.changed_count > 0 ? 'warn' : 'good'}>
        {last.changed_count > 0 ? t('changedSince', { count: last.changed_count }) : formatSelected(last)}
      </Badge>
      <SubmittedAt time={last.created_at} />
      {last.round !== null && <ReceiptLink selectionId={last.id} guest={guest} />}
      {noted && noted.id !== last.id && (
        <span className="quiet-text">{t('noteOfSelection', { number: noted.number })}</span>
      )}
      <Note note={noted?.note ?? null} />
      <SelectionDone selection={last} guest={guest} />
    </span>
  )
}

type FoldedProps = { selections: readonly Selection[] }

export const EarlierSelections = ({ selections }: FoldedProps) =>
  selections.length > 0 && (
    <FoldedSelections
      title={t('earlierSelections', { count: selections.length })}
      selections={selections}
      describe={(selection) => t('selectionNumber', { number: selection.number, photos: formatSelected(selection) })}
    />
  )

/** They stay without name and note, because the photographer may still work on them. */
export const ErasedSelections = ({ selections }: FoldedProps) =>
  selections.length > 0 && (
    <FoldedSelections
      title={t('selectionsOfErased', { count: selections.length })}
      selections={selections}
      describe={formatSelected}
    />
  )

type ListProps = FoldedProps & { title: string; describe: (selection: Selection) => string }

const FoldedSelections = ({ title, selections, describe }: ListProps) => (
  <details className="folded-selections">
    <summary>{title}</summary>
    <ol>
      {selections.map((selection) => (
        <li key={selection.id} className="handed-in">
          <span>{describe(selection)}</span>
          <SubmittedAt time={selection.created_at} />
          {selection.round !== null && <ReceiptLink selectionId={selection.id} guest={describe(selection)} />}
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

/** Receipts stay when the event has no package any more. */
export const ReceiptLink = ({ selectionId, guest }: { selectionId: number; guest: string }) => (
  <a
    href={receiptUrl(useEvent().id, selectionId)}
    target="_blank"
    rel="noopener"
    aria-label={tRounds('receiptOf', { guest })}
  >
    {tRounds('receipt')}
  </a>
)

const Note = ({ note }: { note: string | null }) =>
  note && (
    <q className="handed-in-note" dir="auto">
      {note}
    </q>
  )

type LastSelection = NonNullable<PickingGuest['handed_in']>

function SelectionDone({ selection: { id, done_at }, guest }: { selection: LastSelection; guest: string }) {
  const canEdit = useCanChange('photos.edit')
  const isDone = done_at !== null
  const mark = useMutation({ mutationFn: () => markSelection(id, isDone ? 'open' : 'done'), onError: showError })
  const badge = isDone && <Badge>{t('picksAreDone')}</Badge>
  if (!canEdit) return badge
  return (
    <>
      {badge}
      <Button
        kind="quiet"
        icon={isDone ? 'refresh' : 'check'}
        isBusy={mark.isPending}
        onClick={() => mark.mutate()}
        aria-label={t(isDone ? 'picksReopenOf' : 'picksDoneOf', { guest })}
      >
        {t(isDone ? 'noteReopen' : 'noteDone')}
      </Button>
    </>
  )
}
