import { useMutation } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { queries } from '../desk/queries.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import { startDownload } from './download-photos.ts'
import type { Photo } from './photo-queries.ts'
import { downloadUrl } from './picture-address.ts'

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
