import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type GuestNames, guestNames } from './guest-names.ts'
import { picksQuery } from './picks-query.ts'

/** What the picks call the guests; they are asked only where `isWanted`: where somebody has given no name. */
export function useGuestNames(eventId: number, isWanted: boolean): GuestNames {
  const { data } = useQuery({ ...picksQuery(eventId), enabled: isWanted })
  return useMemo(() => guestNames(data?.guests ?? []), [data])
}
