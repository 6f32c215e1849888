import { useMutation, useQuery } from '@tanstack/react-query'
import { formatSize } from '../../../shared/format-units.ts'
import { api, unwrap } from '../../api/api.ts'
import { language, translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Button } from '../../components/button.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { formatTime } from '../../components/format-time.ts'
import { showNotice } from '../../components/notices.tsx'
import { invalidatePhotos, type Photo } from '../model/photo-queries.ts'

const t = translator('photos')

/** The files that the photo had before its replacements, while they are kept, each with a button that returns it. */
export function EarlierFiles({ eventId, photo }: { eventId: number; photo: Photo }) {
  const hasPermission = useHasPermission()
  const params = { path: { event_id: eventId, photo_id: photo.id } }
  const { data } = useQuery({
    queryKey: ['photos', eventId, 'earlier', photo.id, photo.content_hash],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/admin/photos/{event_id}/photos/{photo_id}/earlier-files', { params, signal })),
    retry: false,
  })
  const undo = useMutation({
    mutationFn: (earlier: string) =>
      unwrap(
        api.POST('/api/admin/photos/{event_id}/photos/{photo_id}/undo-replacement', {
          params: { ...params, query: { filename: photo.filename, earlier } },
        }),
      ),
    onSuccess: async () => {
      showNotice(t('replacementUndone', { name: photo.source_filename }))
      await invalidatePhotos(eventId)
    },
    onError: (error) => showNotice(errorMessage(error), { isAlarm: true }),
  })
  const files = data?.earlier_files ?? []
  if (files.length === 0) return null
  return (
    <div>
      <dt>{t('earlierFiles')}</dt>
      {files.map(({ filename, original_filename: name, size_bytes, replaced_at }) => (
        <dd key={filename}>
          <span dir="auto">{name}</span>, {formatSize(size_bytes, language)}
          <br />
          {t('replacedAt', { time: formatTime(replaced_at) })}{' '}
          {hasPermission('photos.upload') && (
            <Button isBusy={undo.isPending} onClick={() => undo.mutate(filename)}>
              {t('undoReplacement')}
            </Button>
          )}
        </dd>
      ))}
    </div>
  )
}
