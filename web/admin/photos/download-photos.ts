import { api, must } from '../api/api.ts'

export const idsOfAZip = 500

/** Starts a download. Renews an expired session first, because the browser would save an error response as the file. */
export async function save(eventId: number, address: string): Promise<void> {
  await must(api.GET('/api/admin/events/{event_id}', { params: { path: { event_id: eventId } } }))
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

export const zipOf = (eventId: number, asked: Record<string, string>): string =>
  `/api/admin/photos/${eventId}/download?${new URLSearchParams(asked)}`
