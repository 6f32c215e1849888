import { api, unwrap } from '../../api/api.ts'

export const maxIdsPerZip = 500

/** Starts a download. Renews an expired session first, because the browser would save an error response as the file. */
export async function startDownload(eventId: number, url: string): Promise<void> {
  await unwrap(api.GET('/api/admin/events/{event_id}', { params: { path: { event_id: eventId } } }))
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

export const zipUrl = (eventId: number, query: Record<string, string>): string =>
  `/api/admin/photos/${eventId}/download?${new URLSearchParams(query)}`
