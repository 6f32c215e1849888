import { useMemo, useState } from 'preact/hooks'
import { maxNoteLength } from '../../../contract/text-lengths.ts'
import { Sheet } from '../parts/sheet.tsx'
import { canWriteNotes, page, t } from '../state/page.ts'
import { loadThreads } from '../threads/photo-threads.ts'
import { TextForm } from '../threads/text-form.tsx'
import { ThreadList } from '../threads/thread-list.tsx'
import { createPhotoNotes, type PhotoNotes } from './photo-notes.ts'

/** For galleries without comments, also without notes, and for notes about the whole gallery (`photoId` is null). */
export function NoteDialog({ photoId, onClose }: { photoId: number | null; onClose: () => void }) {
  const notes = useMemo(() => createPhotoNotes(photoId), [photoId])
  const [statusText, setStatusText] = useState('')
  return (
    <Sheet title={t(canWriteNotes || page.feedback.keep_versions ? 'noteTitle' : 'marks')} onClose={onClose}>
      <ThreadList
        photoId={photoId}
        offlineText={t('notesUnloaded')}
        remove={notes.remove}
        status={statusText}
        onStatus={setStatusText}
      />
      {canWriteNotes && (
        <div class="sheet-foot">
          <NoteForm notes={notes} onSent={() => setStatusText(t('noteSent'))} />
        </div>
      )}
    </Sheet>
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
        // If it fails, the note is shown when the list is loaded again.
        await loadThreads(notes.photoId).catch(() => undefined)
      }}
    />
  )
}
