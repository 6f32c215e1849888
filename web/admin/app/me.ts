import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Permission } from '../../../contract/access.ts'
import { readStored, writeStored } from '../../shared/browser-storage.ts'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { renewSession } from '../api/session-fetch.ts'
import { queries } from './query-client.ts'

export type Me = NonNullable<Schemas['GetSessionReply']['user']>

/** Stored in this browser from sign-in to sign-out. Without it, `meQuery` does not try to renew a session. */
const signedInKey = 'proofroom-signed-in'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Me | null> => {
    const startedAt = Date.now()
    const { user } = await unwrap(api.GET('/api/auth/session'))
    if (user !== null || readStored('localStorage', signedInKey) === null) return user
    if (!(await renewSession(startedAt))) return null
    return (await unwrap(api.GET('/api/auth/session'))).user
  },
  staleTime: 60_000,
})

export async function reloadMe(): Promise<void> {
  writeStored('localStorage', signedInKey, 'yes')
  await queries.resetQueries({ queryKey: meQuery.queryKey })
}

export async function signOut(): Promise<void> {
  await unwrap(api.POST('/api/auth/logout', {}))
  writeStored('localStorage', signedInKey, null)
  queries.clear()
}

/** Returns the account that is signed in. Throws if there is none. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(meQuery)
  if (data === null) throw new Error('Nobody is signed in')
  return data
}

/** Returns a check of the permissions of the account. It does not check who owns an event. */
export function useHasPermission(): (permission: Permission) => boolean {
  const { permissions } = useMe()
  return (permission) => permissions.includes(permission)
}
