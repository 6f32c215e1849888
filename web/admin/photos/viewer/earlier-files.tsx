import { useMutation, useQuery } from '@tanstack/react-query'
import { formatSize } from '../../../shared/format-units.ts'
import { api, unwrap } from '../../api/api.ts'
import { language, translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Button } from '../../components/button.tsx'
import { formatTime } from '../../components/format-time.ts'
import { showError, showNotice } from '../../components/notices.tsx'
import { invalidatePhotos, type Photo } from '../model/photo-queries.ts'

const t = translator('photos')

const photoPath = (eventId: number, photo: Photo) => ({ path: { event_id: eventId, photo_id: photo.id } })

/** Gives the photo an earlier file again, by its `filename`, and then shows `notice`. */
export const useEarlierFile = (eventId: number, photo: Photo, notice: string) =>
  useMutation({
    mutationFn: (earlier: string) => {
      const params = { ...photoPath(eventId, photo), query: { filename: photo.filename, earlier } }
      return unwrap(api.POST('/api/admin/photos/{event_id}/photos/{photo_id}/undo-replacement', { params }))
    },
    onSuccess: async () => {
      showNotice(notice)
      await invalidatePhotos(eventId)
    },
    onError: showError,
  })

type Props = { eventId: number; photo: Photo; without?: readonly string[] }

/** The files that the photo had before its replacements, while they are kept, each with a button that returns it. */
export function EarlierFiles({ eventId, photo, without = [] }: Props) {
  const hasPermission = useHasPermission()
  const { data } = useQuery({
    queryKey: ['photos', eventId, 'earlier', photo.id, photo.content_hash],
    queryFn: ({ signal }) => {
      const params = photoPath(eventId, photo)
      return unwrap(api.GET('/api/admin/photos/{event_id}/photos/{photo_id}/earlier-files', { params, signal }))
    },
    retry: false,
  })
  const undo = useEarlierFile(eventId, photo, t('replacementUndone', { name: photo.source_filename }))
  const files = data?.earlier_files.filter(({ filename }) => !without.includes(filename)) ?? []
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
