import { api, unwrap } from '../api/api.ts'
import { queries } from '../app/query-client.ts'

const maxNameLength = 100
const categoryIds = new Map<string, Promise<number>>()

/**
 * Returns the id of the category with this name, and creates it if necessary. All files of a folder share one request.
 */
export function findOrCreateCategory(eventId: number, name: string): Promise<number> {
  const key = `${eventId}/${name}`
  const known = categoryIds.get(key)
  if (known) return known
  const request = requestCategory(eventId, name.trim().slice(0, maxNameLength))
  categoryIds.set(key, request)
  request.catch(() => categoryIds.delete(key))
  return request
}

export const forgetCategories = (): void => categoryIds.clear()

async function requestCategory(eventId: number, name: string): Promise<number> {
  const params = { path: { event_id: eventId } }
  const categories = await unwrap(api.GET('/api/admin/categories/event/{event_id}', { params }))
  const same = categories.find((category) => category.name.toLowerCase() === name.toLowerCase())
  if (same) return same.id
  const created = await unwrap(api.POST('/api/admin/categories', { body: { name, event_id: eventId } }))
  void queries.invalidateQueries({ queryKey: ['categories'] })
  return created.id
}
