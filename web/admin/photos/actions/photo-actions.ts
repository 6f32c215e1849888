import { useMutation } from '@tanstack/react-query'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { queries } from '../../app/query-client.ts'
import { errorMessage } from '../../components/error-messages.ts'
import { showNotice } from '../../components/notices.tsx'
import type { Photo } from '../model/photo-queries.ts'
import { downloadUrl } from '../model/photo-urls.ts'
import { startDownload } from './download-photos.ts'

const t = translator('photos')

export const useSetCover = (eventId: number) =>
  useMutation({
    mutationFn: (photo: Photo) =>
      unwrap(
        api.PATCH('/api/admin/events/{event_id}', {
          params: { path: { event_id: eventId } },
          body: { cover_photo_id: photo.id },
        }),
      ),
    onSuccess: async (_event, photo) => {
      showNotice(t('coverNow', { name: photo.source_filename }))
      await queries.invalidateQueries({ queryKey: ['event', eventId] })
    },
    onError: (error) => showNotice(errorMessage(error), { isAlarm: true }),
  })

export const downloadOriginal = (eventId: number, photo: Photo): Promise<void> =>
  startDownload(eventId, downloadUrl(eventId, photo)).catch((error) =>
    showNotice(errorMessage(error), { isAlarm: true }),
  )
