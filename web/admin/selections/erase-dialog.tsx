import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { Button, Buttons } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { formatList } from '../components/format-list.ts'
import { useEvent } from '../events/event-context.tsx'
import type { GuestNames } from '../feedback/guest-names.ts'
import { invalidateFeedback, type PickingGuest } from '../feedback/picks-query.ts'

const t = translator('feedback')

type Props = { guest: PickingGuest; names: GuestNames; onClose: () => void }

/** Erases a guest for good, after a question that lists what is erased. Then it shows what was erased. */
export function EraseDialog({ guest, names, onClose }: Props) {
  const { id: eventId } = useEvent()
  const erase = useMutation({
    mutationFn: () => {
      const params = { path: { event_id: eventId, guest_id: guest.id } }
      return unwrap(api.DELETE('/api/admin/events/{event_id}/guests/{guest_id}', { params }))
    },
    onSuccess: () => invalidateFeedback(eventId),
  })
  // The list of guests no longer has the name after the erasure.
  const [name] = useState(() => names.of(guest.id))
  if (erase.data) {
    return (
      <Dialog title={t('erasedTitle', { guest: name })} isOpen onClose={onClose}>
        <div className="stack">
          <p role="status">{t('erased', { what: describeErased(erase.data) })}</p>
          <Buttons isAtEnd>
            <Button kind="primary" onClick={onClose}>
              {t('close')}
            </Button>
          </Buttons>
        </div>
      </Dialog>
    )
  }
  const feedback = formatList(
    listFeedback({
      ratings: guest.rating_count,
      color_labels: guest.color_label_count,
      likes: guest.like_count,
      favorites: guest.favorite_count,
      comments: guest.comment_count,
    }),
  )
  return (
    <ActionDialog
      title={t('eraseTitle', { guest: name })}
      description={t('eraseText')}
      action={t('eraseAction')}
      kind="danger"
      mutation={erase}
      onAction={() => erase.mutate()}
      onClose={onClose}
    >
      <ul>
        <li>{feedback === '' ? t('eraseContact') : t('eraseContactAnd', { feedback })}</li>
        {guest.selection_count > 0 && <li>{t('eraseSelections', { count: guest.selection_count })}</li>}
        <li>{t('eraseRemains')}</li>
      </ul>
    </ActionDialog>
  )
}

type Erased = Schemas['ErasedGuest']

const listFeedback = (
  counts: Pick<Erased, 'ratings' | 'color_labels' | 'likes' | 'favorites' | 'comments'>,
): string[] => [
  ...(counts.ratings > 0 ? [t('erasedRatings', { count: counts.ratings })] : []),
  ...(counts.color_labels > 0 ? [t('erasedLabels', { count: counts.color_labels })] : []),
  ...(counts.likes > 0 ? [t('erasedLikes', { count: counts.likes })] : []),
  ...(counts.favorites > 0 ? [t('erasedFavorites', { count: counts.favorites })] : []),
  ...(counts.comments > 0 ? [t('erasedComments', { count: counts.comments })] : []),
]

const describeErased = (erased: Erased): string =>
  formatList([
    t('erasedContact'),
    ...listFeedback(erased),
    ...(erased.selections > 0 ? [t('erasedSelections', { count: erased.selections })] : []),
    ...(erased.notes > 0 ? [t('erasedNotes', { count: erased.notes })] : []),
    ...(erased.photos > 0 ? [t('erasedPhotos', { count: erased.photos })] : []),
    ...(erased.mails > 0 ? [t('erasedMails', { count: erased.mails })] : []),
    ...(erased.webhook_deliveries > 0 ? [t('erasedDeliveries', { count: erased.webhook_deliveries })] : []),
    ...(erased.uploads > 0 ? [t('erasedUploads', { count: erased.uploads })] : []),
  ])
