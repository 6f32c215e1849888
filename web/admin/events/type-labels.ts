import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/api.ts'
import { hasMessage, translator } from '../app/language.ts'
import { eventTypesQuery } from './event-queries.ts'

const t = translator('events')

/** The labels of these types are translated, unless an operator renamed the type. */
const defaultTypeNames: Record<string, string> = {
  wedding: 'Wedding',
  birthday: 'Birthday',
  corporate: 'Corporate',
  family: 'Family',
  portrait: 'Portrait',
  other: 'Other',
}

export function typeLabel({ slug_prefix, name }: Pick<Schemas['EventType'], 'slug_prefix' | 'name'>): string {
  const key = `type_${slug_prefix}`
  return defaultTypeNames[slug_prefix] === name && hasMessage('events', key) ? t(key) : name
}

/** Returns a function from slug_prefix to label. Before the types are loaded, it knows only the default types. */
export function useTypeLabels(): (slugPrefix: string) => string {
  const { data: types } = useQuery(eventTypesQuery)
  return (slugPrefix) => {
    const defaultType = { slug_prefix: slugPrefix, name: defaultTypeNames[slugPrefix] ?? slugPrefix }
    const known = types ?? [defaultType]
    const type = known.find(({ slug_prefix }) => slug_prefix === slugPrefix)
    return type ? typeLabel(type) : slugPrefix
  }
}
