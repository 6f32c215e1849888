import { useQuery } from '@tanstack/react-query'
import type { Wire } from '../api/api.ts'
import { hasText, sayIn } from '../desk/language.ts'
import { eventTypesQuery } from './event-query.ts'

const say = sayIn('events')

/** The types that come with the service are known in every language, unless somebody has named them anew. */
const seeded: Record<string, string> = {
  wedding: 'Wedding',
  birthday: 'Birthday',
  corporate: 'Corporate',
  family: 'Family',
  portrait: 'Portrait',
  other: 'Other',
}

export function typeWords({ slug_prefix, name }: Pick<Wire['EventType'], 'slug_prefix' | 'name'>): string {
  const key = `type_${slug_prefix}`
  return seeded[slug_prefix] === name && hasText('events', key) ? say(key) : name
}

/** What a type is called, by its slug_prefix. Until the types are there, as it comes with the service, else the slug itself. */
export function useTypeWords(): (slugPrefix: string) => string {
  const { data: types } = useQuery(eventTypesQuery)
  return (slugPrefix) => {
    const seededType = { slug_prefix: slugPrefix, name: seeded[slugPrefix] ?? slugPrefix }
    const known = types ?? [seededType]
    const type = known.find(({ slug_prefix }) => slug_prefix === slugPrefix)
    return type ? typeWords(type) : slugPrefix
  }
}
