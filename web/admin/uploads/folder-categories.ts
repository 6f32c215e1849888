import { api, must } from '../api/api.ts'
import { queries } from '../desk/queries.ts'

const maxNameLength = 100
const found = new Map<string, Promise<number>>()

/**
 * Returns the id of the category with this name, and creates it if necessary. One promise serves all files of a folder.
 */
export function categoryNamed(eventId: number, name: string): Promise<number> {
  const key = `${eventId}/${name}`
  const known = found.get(key)
  if (known) return known
  const asked = findOrMake(eventId, name.trim().slice(0, maxNameLength))
  found.set(key, asked)
  asked.catch(() => found.delete(key))
  return asked
}

export const forgetCategories = (): void => found.clear()

async function findOrMake(eventId: number, name: string): Promise<number> {
  const params = { path: { event_id: eventId } }
  const categories = await must(api.GET('/api/admin/categories/event/{event_id}', { params }))
  const same = categories.find((category) => category.name.toLowerCase() === name.toLowerCase())
  if (same) return same.id
  const made = await must(api.POST('/api/admin/categories', { body: { name, event_id: eventId } }))
  void queries.invalidateQueries({ queryKey: ['categories'] })
  return made.id
}
