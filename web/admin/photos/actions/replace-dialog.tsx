import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { formatSize } from '../../../shared/format-units.ts'
import { language, translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { Field } from '../../components/field.tsx'
import { showNotice } from '../../components/notices.tsx'
import { Progress } from '../../components/progress.tsx'
import { invalidatePhotos, type Photo } from '../model/photo-queries.ts'
import { replacePhoto } from './replace-photo.ts'

const t = translator('photos')

/** Closing the dialog cancels the upload. */
export function ReplaceDialog({ eventId, photo, onClose }: { eventId: number; photo: Photo; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null)
  const [sent, setSent] = useState(0)
  const stop = useRef(new AbortController())
  const replace = useMutation({
    mutationFn: (chosen: File) => {
      stop.current = new AbortController()
      return replacePhoto({ eventId, photo, file: chosen, signal: stop.current.signal, onSent: setSent })
    },
    onSuccess: async () => {
      showNotice(t('replacedNow', { name: photo.source_filename }))
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
      title={t('replaceTitle', { name: photo.source_filename })}
      description={t('replaceText')}
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
            {t('replaceAction')}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}
