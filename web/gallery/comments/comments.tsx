import { useMemo, useState } from 'preact/hooks'
import { maxCommentLength } from '../../../contract/text-lengths.ts'
import { Sheet } from '../parts/sheet.tsx'
import { canWriteNotes, page, t } from '../state/page.ts'
import { storeDraft, storedDraft } from '../state/stored-draft.ts'
import { getThreads, loadThreads } from '../threads/photo-threads.ts'
import { TextForm, type TextFormProps } from '../threads/text-form.tsx'
import { isNoteContinued } from '../threads/text-rules.ts'
import { ThreadList } from '../threads/thread-list.tsx'
import { NoteDialog, NoteForm } from './notes.tsx'
import { createPhotoComments, type PhotoComments } from './photo-comments.ts'
import { createPhotoNotes, type PhotoNotes } from './photo-notes.ts'

export { NoteDialog }

type TextDialogProps = TextFormProps & { title: string; onClose: () => void }

/** Closes when the text is written. */
export const TextDialog = ({ title, onClose, ...form }: TextDialogProps) => (
  <Sheet title={title} onClose={onClose}>
    <TextForm {...form} write={(text) => form.write(text).then(onClose)} isFocused />
  </Sheet>
)

/** The comments, notes, pins and boxes of a photo, with their answers. */
export function Comments({ photoId, onClose }: { photoId: number; onClose: () => void }) {
  const photoComments = useMemo(() => createPhotoComments(photoId), [photoId])
  const notes = useMemo(() => createPhotoNotes(photoId), [photoId])
  const [isNote, setNote] = useState(() => beginsWithNote(photoComments, notes))
  const [statusText, setStatusText] = useState('')
  const changeKind = (isNow: boolean) => {
    storeDraft(kindStorageKey(photoId), isNow ? 'note' : 'comment')
    setNote(isNow)
  }

  async function show(id: number | null): Promise<void> {
    await loadThreads(photoId).catch(() => undefined)
    const thread = getThreads(photoId)
      .peek()
      ?.find(({ feedback_id }) => feedback_id === id)
    setStatusText(t(thread?.is_visible === false ? 'commentSentPending' : 'commentSent'))
    document.getElementById(`thread-${thread?.id}`)?.scrollIntoView({ block: 'center' })
  }

  return (
    <Sheet title={t('comments')} onClose={onClose}>
      <ThreadList
        photoId={photoId}
        emptyText={t('commentNone')}
        offlineText={t('commentsUnloaded')}
        status={statusText}
        onStatus={setStatusText}
        remove={async (thread) => {
          if (thread.kind === 'comment') await photoComments.remove(thread)
          else await notes.remove(thread)
        }}
      />
      <div class="sheet-foot">
        {canWriteNotes && <KindChoice isNote={isNote} onChange={changeKind} />}
        {isNote ? (
          <NoteForm notes={notes} onSent={() => setStatusText(t('noteSent'))} />
        ) : (
          <TextForm
            label={t('commentWrite')}
            hint={audienceHint()}
            maxLength={maxCommentLength}
            unsentText={t('commentKept')}
            draft={photoComments.draft}
            write={async (text) => show(await photoComments.write(text))}
          />
        )}
      </div>
    </Sheet>
  )
}

const kindStorageKey = (photoId: number): string => `note or comment ${page.slug} ${photoId}`

const beginsWithNote = ({ draft, photoId }: PhotoComments, notes: PhotoNotes): boolean =>
  canWriteNotes &&
  isNoteContinued({
    comment: draft.load(),
    note: notes.draft.load(),
    chosen: storedDraft(kindStorageKey(photoId)),
  })

function KindChoice({ isNote, onChange }: { isNote: boolean; onChange: (isNote: boolean) => void }) {
  return (
    <fieldset class="kinds">
      <legend class="heard">{t('noteOrComment')}</legend>
      {[false, true].map((value) => (
        <label key={String(value)}>
          <input type="radio" name="kind" checked={value === isNote} onChange={() => onChange(value)} />
          {t(value ? 'noteKind' : 'commentKind')}
        </label>
      ))}
    </fieldset>
  )
}

function audienceHint(): string {
  if (!page.feedback.show_feedback_to_guests) return t('commentPrivate')
  return page.feedback.moderate_comments ? t('commentModerated') : ''
}
