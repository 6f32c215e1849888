import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type GuestNames, guestNames } from './guest-names.ts'
import { picksQuery } from './picks-query.ts'

/** Loads the picks only if `isWanted`, for guests without a name. */
export function useGuestNames(eventId: number, isWanted: boolean): GuestNames {
  const { data } = useQuery({ ...picksQuery(eventId), enabled: isWanted })
  return useMemo(() => guestNames(data?.guests ?? []), [data])
}
