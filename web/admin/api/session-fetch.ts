import { Unreachable } from './api-error.ts'

const renewedAtKey = 'proofroom-session-renewed-at'

/** Told when the session has ended and could not be renewed. */
export const sessionEnds = new EventTarget()

/**
 * `fetch` with the session of this browser, renewed when it has run out. Throws Unreachable. Bodies are sent once more
 * after renewing, so a stream cannot be one.
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

/** A wrong password is a 401 as well, which says nothing about the session. */
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
 * Renews it for what was asked at a time, unless that has been done since. One window does it for all: a refresh token
 * that is sent several times ends the sign-in. False when there is nothing to renew. Throws Unreachable.
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

/** Without TLS browsers have no locks: then one of this window does it, and windows wait for times of their own. */
function inTurn(act: () => Promise<boolean>): Promise<boolean> {
  if (navigator.locks) return navigator.locks.request('proofroom-session', act)
  turn ??= new Promise((resolve) => setTimeout(resolve, Math.random() * maxWaitMs)).then(act).finally(() => {
    turn = null
  })
  return turn
}
