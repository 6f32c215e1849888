import './comments.css'
import { useMemo, useState } from 'preact/hooks'
import { maxNoteLength } from '../../../contract/text-lengths.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Trouble } from '../parts/field.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { t } from '../state/page.ts'
import { createPhotoNotes, type PhotoNotes } from './photo-notes.ts'
import { TextForm } from './text-form.tsx'
import { LoadTrouble, useLoaded } from './use-loaded.tsx'

/** For galleries without comments, and for notes about the whole gallery (`photoId` is null). */
export function NoteDialog({ photoId, onClose }: { photoId: number | null; onClose: () => void }) {
  const notes = useMemo(() => createPhotoNotes(photoId), [photoId])
  const { error, retry } = useLoaded(notes.load)
  const [statusText, setStatusText] = useState('')
  return (
    <Sheet title={t('noteTitle')} onClose={onClose}>
      <NoteList notes={notes} onRemoved={() => setStatusText(t('noteRemoved'))} />
      {error !== null && <LoadTrouble error={error} offlineText={t('notesUnloaded')} onRetry={retry} />}
      <p class="told" role="status">
        {statusText}
      </p>
      <div class="sheet-foot">
        <NoteForm notes={notes} onSent={() => setStatusText(t('noteSent'))} />
      </div>
    </Sheet>
  )
}

/** The notes that are loaded. */
export function NoteList({ notes, onRemoved }: { notes: PhotoNotes; onRemoved: () => void }) {
  const [trouble, setTrouble] = useState<string | null>(null)
  const remove = (id: number) => {
    setTrouble(null)
    notes.remove(id).then(onRemoved, (error) => setTrouble(errorMessage(error)))
  }
  return (
    <>
      {notes.notes.value.length > 0 && (
        <section aria-label={t('noteOwn')}>
          <h3 class="notes-title">{t('noteOwn')}</h3>
          {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore that a list without bullets is a list */}
          <ul class="comments" role="list">
            {notes.notes.value.map(({ id, text, is_done }) => (
              <li key={id}>
                <p class="words" dir="auto">
                  {text}
                </p>
                {is_done && <p class="pending">{t('noteDone')}</p>}
                <button type="button" class="link" onClick={() => remove(id)}>
                  {t('noteRemove')}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {trouble !== null && <Trouble>{trouble}</Trouble>}
    </>
  )
}

type FormProps = { notes: PhotoNotes; onSent: () => void }

export function NoteForm({ notes, onSent }: FormProps) {
  return (
    <TextForm
      label={t('noteWrite')}
      hint={t('noteHint')}
      maxLength={maxNoteLength}
      unsentText={t('noteKept')}
      draft={notes.draft}
      write={async (text) => {
        await notes.write(text)
        onSent()
      }}
    />
  )
}
