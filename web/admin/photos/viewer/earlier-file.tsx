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

/** The file that the photo had before its last replacement, while it is kept, and a button that returns it. */
export function EarlierFile({ eventId, photo }: { eventId: number; photo: Photo }) {
  const hasPermission = useHasPermission()
  const params = { path: { event_id: eventId, photo_id: photo.id } }
  const { data } = useQuery({
    queryKey: ['photos', eventId, 'earlier', photo.id, photo.content_hash],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/admin/photos/{event_id}/photos/{photo_id}/earlier-file', { params, signal })),
    retry: false,
  })
  const undo = useMutation({
    mutationFn: () => unwrap(api.POST('/api/admin/photos/{event_id}/photos/{photo_id}/undo-replacement', { params })),
    onSuccess: async () => {
      showNotice(t('replacementUndone', { name: photo.source_filename }))
      await invalidatePhotos(eventId)
    },
    onError: (error) => showNotice(errorMessage(error), { isAlarm: true }),
  })
  const earlier = data?.earlier_file
  if (!earlier) return null
  return (
    <div>
      <dt>{t('earlierFile')}</dt>
      <dd>
        <span dir="auto">{earlier.original_filename}</span>, {formatSize(earlier.size_bytes, language)}
        <br />
        {t('replacedAt', { time: formatTime(earlier.replaced_at) })}{' '}
        {hasPermission('photos.upload') && (
          <Button isBusy={undo.isPending} onClick={() => undo.mutate()}>
            {t('undoReplacement')}
          </Button>
        )}
      </dd>
    </div>
  )
}
