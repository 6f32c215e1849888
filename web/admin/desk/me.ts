import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Permission } from '../../../contract/access.ts'
import { api, must, type Wire } from '../api/api.ts'
import { renewSession } from '../api/session-fetch.ts'
import { queries } from './queries.ts'

export type Me = NonNullable<Wire['GetSessionReply']['user']>

/** Says that this browser has been signed in, so that an ended session is worth renewing. */
const signedInKey = 'proofroom-signed-in'

/** Who is signed in; null for nobody. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Me | null> => {
    const askedAt = Date.now()
    const { user } = await must(api.GET('/api/auth/session'))
    if (user !== null || localStorage.getItem(signedInKey) === null) return user
    if (!(await renewSession(askedAt))) return null
    return (await must(api.GET('/api/auth/session'))).user
  },
  staleTime: 60_000,
})

/** After a sign-in, or whatever else changes who is signed in. */
export async function meetAgain(): Promise<void> {
  localStorage.setItem(signedInKey, 'yes')
  await queries.resetQueries({ queryKey: meQuery.queryKey })
}

export async function signOut(): Promise<void> {
  await must(api.POST('/api/auth/logout', {}))
  localStorage.removeItem(signedInKey)
  queries.clear()
}

/** Of pages inside, where somebody is signed in. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(meQuery)
  if (data === null) throw new Error('Nobody is signed in')
  return data
}

/** Whether whoever is signed in may do something at all; whose events they are is another question. */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useMe()
  return (permission) => permissions.includes(permission)
}
