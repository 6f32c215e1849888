import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { formatSize } from '../../../shared/format-units.ts'
import { language, translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { Field, TextArea } from '../../components/field.tsx'
import { showNotice } from '../../components/notices.tsx'
import { Progress } from '../../components/progress.tsx'
import { useEvent } from '../../events/event-context.tsx'
import { invalidatePhotos, type Photo } from '../model/photo-queries.ts'
import { maxFormBytes, replacePhoto } from './replace-photo.ts'

const t = translator('photos')

/** Closing the dialog cancels the upload. */
export function ReplaceDialog({ eventId, photo, onClose }: { eventId: number; photo: Photo; onClose: () => void }) {
  const { keep_versions: keepsVersions } = useEvent()
  const [file, setFile] = useState<File | null>(null)
  const [note, setNote] = useState('')
  const hasNote = keepsVersions && photo.media_type === 'image' && (file?.size ?? 0) <= maxFormBytes
  const [sent, setSent] = useState(0)
  const stop = useRef(new AbortController())
  const replace = useMutation({
    mutationFn: (chosen: File) => {
      stop.current = new AbortController()
      const version = keepsVersions ? { note } : null
      return replacePhoto({ eventId, photo, file: chosen, version, signal: stop.current.signal, onSent: setSent })
    },
    onSuccess: async () => {
      showNotice(t(keepsVersions ? 'versionAdded' : 'replacedNow', { name: photo.source_filename }))
      onClose()
      await invalidatePhotos(eventId)
    },
  })
  const close = () => {
    stop.current.abort()
    onClose()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (file && !replace.isPending) replace.mutate(file)
  }
  const isStopped = stop.current.signal.aborted
  return (
    <Dialog
      isOpen
      onClose={close}
      title={t(keepsVersions ? 'addVersionTitle' : 'replaceTitle', { name: photo.source_filename })}
      description={t(keepsVersions ? 'addVersionText' : 'replaceText')}
    >
      <form className="stack" onSubmit={onSubmit}>
        <Field
          label={t('newFile')}
          help={file && `${file.name}, ${formatSize(file.size, language)}`}
          errorText={replace.isError && !isStopped ? errorMessage(replace.error) : null}
        >
          {(control) => (
            <input
              type="file"
              accept={photo.media_type === 'video' ? 'video/*' : 'image/*'}
              required
              disabled={replace.isPending}
              onChange={({ target }) => setFile(target.files?.[0] ?? null)}
              {...control}
            />
          )}
        </Field>
        {hasNote && (
          <TextArea
            label={t('versionNote')}
            help={t('versionNoteHelp')}
            rows={3}
            maxLength={500}
            disabled={replace.isPending}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
        {replace.isPending && file && (
          <div role="status">
            <Progress label={t('sending')} done={sent} total={file.size} />
            <p className="help">
              {t(sent < file.size ? 'sending' : 'beingMade')} {Math.floor((100 * sent) / file.size)} %
            </p>
          </div>
        )}
        <Buttons isAtEnd>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" icon="upload" disabled={!file} isBusy={replace.isPending}>
            {t(keepsVersions ? 'addVersionAction' : 'replaceAction')}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}
