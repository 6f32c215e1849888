import { useEffect, useState } from 'preact/hooks'
import type { GalleryOutline } from '../../../../contract/gallery/gallery.ts'
import { thumbnailPath } from '../../../../contract/gallery/gallery-tiles.ts'
import type { GuestRoundReply, SelectionDifference } from '../../../../contract/gallery/rounds.ts'
import { maxNoteLength } from '../../../../contract/text-lengths.ts'
import { isRoundSent } from '../../../../locales/describe-round.ts'
import { markLabel } from '../../marks/apply-mark.ts'
import { changedPicks, lastSelection } from '../../marks/last-selection.ts'
import { errorMessage } from '../../parts/error-messages.ts'
import { Field, handleSubmit, Trouble } from '../../parts/field.tsx'
import { showNotice } from '../../parts/notices.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { call } from '../../state/api.ts'
import { page, pickFilter, t } from '../../state/page.ts'
import { counts, getPhoto, outlineLength } from '../../state/photos.ts'
import { ownRound } from './own-round.ts'
import { chooseSendable } from './round-rules.ts'
import { discardSetAside, sendSetAside, setAsideMarks } from './set-aside.ts'

type Props = { onClose: () => void }

type Changes = { since: number; added: number[]; removed: number[]; remarked: number[] }

const toIds = (photos: ReadonlyArray<{ id: number }>): number[] => photos.map(({ id }) => id)

/** What has changed since the selection before: now, or in the picks that were sent. */
export function ChangesSheet({ onClose }: Props) {
  const [changes, setChanges] = useState<Changes | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  useEffect(() => {
    loadChanges().then(setChanges, (error) => setTrouble(errorMessage(error)))
  }, [])
  const isSame = changes && changes.added.length + changes.removed.length + changes.remarked.length === 0
  const message = ownRound.value?.message
  return (
    <Sheet title={t('roundChanges')} onClose={onClose}>
      {message && (
        <blockquote class="round-message" dir="auto">
          {message}
        </blockquote>
      )}
      {trouble && <Trouble>{trouble}</Trouble>}
      {changes && (
        <p class="quiet">{t(isSame ? 'roundChangesNone' : 'roundChangesSince', { number: changes.since })}</p>
      )}
      {changes && (
        <>
          <PhotoStrip title="roundAdded" ids={changes.added} />
          <PhotoStrip title="roundRemoved" ids={changes.removed} />
          <PhotoStrip title="roundRemarked" ids={changes.remarked} />
        </>
      )}
    </Sheet>
  )
}

async function loadChanges(): Promise<Changes> {
  const round = ownRound.peek()
  const number = lastSelection.peek()?.number ?? 0
  if (round && isRoundSent(round)) {
    const { from, added, removed, changed } = await call<typeof SelectionDifference>(`/selections/${number}/difference`)
    return { since: from?.number ?? 0, added: toIds(added), removed: toIds(removed), remarked: toIds(changed) }
  }
  const changed = [...changedPicks.peek()]
  const { photos } = changed.length
    ? await call<typeof GalleryOutline>(`/outline?filter=${pickFilter}&page=1&limit=${outlineLength}`)
    : { photos: [] }
  const picked = new Set(photos.map(([id]) => id))
  // The service does not know of waiting marks.
  const isPicked = (id: number) => getPhoto(id).peek()?.is_favorited ?? picked.has(id)
  return {
    since: number,
    added: changed.filter(isPicked),
    removed: changed.filter((id) => !isPicked(id)),
    remarked: [],
  }
}

function PhotoStrip({
  title,
  ids,
}: {
  title: 'roundAdded' | 'roundRemoved' | 'roundRemarked'
  ids: readonly number[]
}) {
  if (ids.length === 0) return null
  return (
    <section class="round-strip">
      <h3>{t(title, { count: ids.length })}</h3>
      <p>
        {ids.map((id) => (
          <Thumbnail key={id} id={id} />
        ))}
      </p>
    </section>
  )
}

const Thumbnail = ({ id }: { id: number }) => (
  <img src={thumbnailPath(page, id)} alt={getPhoto(id).value?.original_filename ?? ''} loading="lazy" />
)

/** Asks the photographer to open sent picks again. */
export function AskSheet({ onClose }: Props) {
  const [message, setMessage] = useState('')
  const [trouble, setTrouble] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)

  async function ask(): Promise<void> {
    if (isSending) return
    setSending(true)
    try {
      const body = { message: message.trim() || null }
      ownRound.value = (await call<typeof GuestRoundReply>('/round/reopening', { body })).round
      onClose()
      showNotice(t('roundAskDone'))
    } catch (error) {
      setTrouble(errorMessage(error))
      setSending(false)
    }
  }

  return (
    <Sheet title={t('roundAskTitle')} onClose={onClose}>
      <form class="form" noValidate onSubmit={handleSubmit(ask)}>
        <p>{t('roundAskText')}</p>
        <Field label={t('submitNote')} trouble={trouble}>
          {(described) => (
            <textarea
              {...described}
              rows={2}
              dir="auto"
              maxLength={maxNoteLength}
              value={message}
              onInput={({ currentTarget }) => setMessage(currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit" class="button primary" aria-disabled={isSending ? 'true' : undefined}>
          {t('roundAsk')}
        </button>
      </form>
    </Sheet>
  )
}

/** The marks that were not sent, because the picks were locked. */
export function SetAsideSheet({ onClose }: Props) {
  const round = ownRound.value
  const marks = setAsideMarks.value
  const isLocked = round !== null && isRoundSent(round)
  const sendable = isLocked ? [] : chooseSendable(marks, round ?? { maximum: null }, counts.value.favorited)
  const left = marks.length - sendable.length

  async function act(action: () => Promise<void>): Promise<void> {
    await action()
    if (setAsideMarks.peek().length === 0) onClose()
  }

  return (
    <Sheet title={t('roundAsideTitle', { count: marks.length })} onClose={onClose}>
      <p>{t(isLocked ? 'roundAsideLocked' : 'roundAsideOpen', { count: marks.length })}</p>
      <ul class="round-aside">
        {marks.map((mark) => (
          <li key={mark.id}>
            <Thumbnail id={mark.photoId} />
            <span>{markLabel(mark.body)}</span>
          </li>
        ))}
      </ul>
      {!isLocked && left > 0 && <p class="quiet">{t('roundAsideLeft', { count: left })}</p>}
      <div class="round-actions">
        {sendable.length > 0 && (
          <button type="button" class="button primary" onClick={() => act(sendSetAside)}>
            {t('roundAsideKeep', { count: sendable.length })}
          </button>
        )}
        <button type="button" class="button" onClick={() => act(discardSetAside)}>
          {t('roundAsideDiscard')}
        </button>
      </div>
    </Sheet>
  )
}
