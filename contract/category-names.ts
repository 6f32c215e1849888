import type { CategoryRecord } from './categories.ts'

/** The global categories that each instance starts with, and the keys of their translated names. */
const seededNames = {
  Ceremony: 'categoryCeremony',
  Portraits: 'categoryPortraits',
  Party: 'categoryParty',
  'Guest uploads': 'categoryGuestUploads',
} as const

type SeededNameKey = (typeof seededNames)[keyof typeof seededNames]

/**
 * Returns the name to show for a category: translated if each instance starts with the category and it was not renamed.
 * `t` must have these messages.
 */
export function categoryName(
  t: (key: SeededNameKey) => string,
  { name, is_global }: Pick<CategoryRecord, 'name' | 'is_global'>,
): string {
  return is_global && Object.hasOwn(seededNames, name) ? t(seededNames[name as keyof typeof seededNames]) : name
}
