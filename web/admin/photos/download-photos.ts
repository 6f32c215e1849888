import { api, must } from '../api/api.ts'

/** The most ids that an address may hold. */
export const idsOfAZip = 500

/**
 * Has the browser save a file of the service. It takes the session with it, which is renewed before: what a browser is
 * refused it would save as a file.
 */
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
