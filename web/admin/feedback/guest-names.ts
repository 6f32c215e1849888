import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { numberUnnamedGuests } from '../../../contract/gallery/guest-numbers.ts'
import { translator } from '../app/language.ts'
import { type PickingGuest, picksQuery } from './picks-query.ts'

const t = translator('feedback')

export type GuestNames = { of: (guestId: string) => string; initials: (guestId: string) => string }

/** Guests without a name get numbers in the order of their first visits, not in the order of `guests`. */
export function createGuestNames(guests: readonly PickingGuest[]): GuestNames {
  const numbers = numberUnnamedGuests(guests)
  const names = new Map(guests.map(({ id, name }) => [id, name ?? t('guestNumber', { number: numbers.get(id) ?? 0 })]))
  const of = (guestId: string) => names.get(guestId) ?? t('guest')
  return { of, initials: (guestId) => numbers.get(guestId)?.toString() ?? getInitials(of(guestId)) }
}

function getInitials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  const letters = ends.flatMap((word = '') => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  return letters.join('').toLocaleUpperCase() || '?'
}

/** Loads the guests of the event only if `isEnabled`. */
export function useGuestNames(eventId: number, isEnabled: boolean): GuestNames {
  const { data } = useQuery({ ...picksQuery(eventId), enabled: isEnabled })
  return useMemo(() => createGuestNames(data?.guests ?? []), [data])
}
