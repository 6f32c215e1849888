import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { createGuestNames, type GuestNames } from './guest-names.ts'
import { picksQuery } from './picks-query.ts'

/** Loads the picks only if `isWanted`, for guests without a name. */
export function useGuestNames(eventId: number, isEnabled: boolean): GuestNames {
  const { data } = useQuery({ ...picksQuery(eventId), enabled: isEnabled })
  return useMemo(() => createGuestNames(data?.guests ?? []), [data])
}
