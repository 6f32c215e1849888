import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { showError, showNotice } from '../../components/notices.tsx'
import type { Photo } from '../model/photo-queries.ts'
import { downloadUrl } from '../model/photo-urls.ts'

const t = translator('photos')

export const maxIdsPerZip = 500

export async function saveZip(eventId: number, query: Record<string, string>): Promise<void> {
  const url = `/api/admin/photos/${eventId}/download?${new URLSearchParams(query)}`
  await startDownload(eventId, url).then(() => showNotice(t('downloadBegins')), showError)
}

export const downloadOriginal = (eventId: number, photo: Photo): Promise<void> =>
  startDownload(eventId, downloadUrl(eventId, photo)).catch(showError)

/** Renews an expired session first, because the browser would save an error response as the file. */
export async function startDownload(eventId: number, url: string): Promise<void> {
  await unwrap(api.GET('/api/admin/events/{event_id}', { params: { path: { event_id: eventId } } }))
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}
