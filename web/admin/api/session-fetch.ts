import { Unreachable } from './api-error.ts'

const renewedAtKey = 'proofroom-session-renewed-at'

/** Dispatches `end` when the session has ended and cannot be renewed. */
export const sessionEnds = new EventTarget()

/**
 * `fetch` that renews an expired session and repeats the request. Throws Unreachable. A body must not be a stream,
 * because it may be sent twice.
 */
export async function sessionFetch(request: Request): Promise<Response> {
  const again = request.clone()
  const askedAt = Date.now()
  const response = await send(request)
  if (isOfSignIn(request.url) || !(await hasEnded(response))) return response
  if (!(await renewSession(askedAt))) return told(response)
  const second = await send(again)
  return (await hasEnded(second)) ? told(second) : second
}

const isOfSignIn = (url: string): boolean => new URL(url).pathname.startsWith('/api/auth/')

/** A wrong password also gives the status 401, but the session is still valid. */
async function hasEnded(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const problem = await response
    .clone()
    .json()
    .catch(() => null)
  return problem?.code !== 'INVALID_CREDENTIALS'
}

function told(response: Response): Response {
  sessionEnds.dispatchEvent(new Event('end'))
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
 * Renews the session unless it was renewed after `startedAt` (ms). Returns false if there is nothing to renew; throws
 * Unreachable. One window renews for all, because using a refresh token several times ends the sign-in.
 */
export const renewSession = (askedAt: number): Promise<boolean> => inTurn(() => renew(askedAt))

async function renew(askedAt: number): Promise<boolean> {
  if (Number(localStorage.getItem(renewedAtKey)) >= askedAt) return true
  const response = await send(new Request('/api/auth/refresh', { method: 'POST' }))
  if (response.status >= 500 || response.status === 429) throw new Unreachable()
  if (response.ok) localStorage.setItem(renewedAtKey, String(Date.now()))
  return response.ok
}

const maxWaitMs = 500
let turn: Promise<boolean> | null = null

/** Browsers have locks only in secure contexts. Elsewhere each window renews once, after a random delay. */
function inTurn(act: () => Promise<boolean>): Promise<boolean> {
  if (navigator.locks) return navigator.locks.request('proofroom-session', act)
  turn ??= new Promise((resolve) => setTimeout(resolve, Math.random() * maxWaitMs)).then(act).finally(() => {
    turn = null
  })
  return turn
}
