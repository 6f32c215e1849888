import { Unreachable } from '../../shared/api-error.ts'
import { readStored, writeStored } from '../../shared/browser-storage.ts'
import { withSessionLock } from './session-lock.ts'

const renewedAtKey = 'proofroom-session-renewed-at'

/** Dispatches `end` when the session has ended and cannot be renewed. */
export const sessionEvents = new EventTarget()

/** `fetch` that renews an expired session and repeats the request once. Throws Unreachable, or the abort reason. */
export async function sessionFetch(request: Request): Promise<Response> {
  const retryRequest = request.clone()
  const startedAt = Date.now()
  const response = await send(request)
  if (isSignInUrl(request.url) || !(await isSessionExpired(response))) return response
  if (!(await renewSession(startedAt))) return reportSessionEnd(response)
  const retryResponse = await send(retryRequest)
  return (await isSessionExpired(retryResponse)) ? reportSessionEnd(retryResponse) : retryResponse
}

const isSignInUrl = (url: string): boolean => new URL(url).pathname.startsWith('/api/auth/')

/** After a wrong password the status is 401 too, but the session is still valid. */
async function isSessionExpired(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const problem = await response
    .clone()
    .json()
    .catch(() => null)
  return problem?.code !== 'INVALID_CREDENTIALS'
}

function reportSessionEnd(response: Response): Response {
  sessionEvents.dispatchEvent(new Event('end'))
  return response
}

async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    throw new Unreachable()
  }
}

/**
 * Renews the session, unless a window of this browser already renewed it after `startedAt` (ms). Only one window renews
 * at a time, because a refresh token that is used twice ends the session. Resolves to false if the service rejects the
 * renewal. Throws Unreachable if the service does not respond, or responds with 429 or 5xx.
 */
export const renewSession = (startedAt: number): Promise<boolean> =>
  withSessionLock(() => renewUnlessRenewed(startedAt))

async function renewUnlessRenewed(startedAt: number): Promise<boolean> {
  if (Number(readStored('localStorage', renewedAtKey)) >= startedAt) return true
  const response = await send(new Request('/api/auth/refresh', { method: 'POST' }))
  if (response.status >= 500 || response.status === 429) throw new Unreachable()
  if (response.ok) writeStored('localStorage', renewedAtKey, String(Date.now()))
  return response.ok
}
