import { createStore, del, update } from 'idb-keyval'

const lockName = 'proofroom-session'
/** A window that was closed while it held the lock blocks the others for this time. */
const maxHeldMs = 10_000
const retryMs = 50

const store = createStore(lockName, 'locks')

/** Runs `run` in one window of the browser at a time. */
export const withSessionLock = (run: () => Promise<boolean>): Promise<boolean> =>
  navigator.locks ? navigator.locks.request(lockName, run) : withStoredLock(run)

/** Without TLS, browsers have no Web Locks. A transaction of IndexedDB is exclusive there too. */
async function withStoredLock(run: () => Promise<boolean>): Promise<boolean> {
  while (!(await tryLock())) await new Promise((resolve) => setTimeout(resolve, retryMs))
  try {
    return await run()
  } finally {
    await del(lockName, store)
  }
}

async function tryLock(): Promise<boolean> {
  let isFree = false
  await update<number>(
    lockName,
    (lockedAt = 0) => {
      isFree = Math.abs(Date.now() - lockedAt) > maxHeldMs
      return isFree ? Date.now() : lockedAt
    },
    store,
  )
  return isFree
}
