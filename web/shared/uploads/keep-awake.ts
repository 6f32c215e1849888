let lock: WakeLockSentinel | null = null
let isActive = false

const warn = (event: BeforeUnloadEvent): void => event.preventDefault()

/** While files are uploading, leaving the page asks for confirmation and the screen stays on. */
export function keepAwake(isInProgress: boolean): void {
  if (isInProgress === isActive) return
  isActive = isInProgress
  if (isInProgress) {
    addEventListener('beforeunload', warn)
    // The wake lock ends when the page is hidden, so it is requested again on return.
    document.addEventListener('visibilitychange', requestLock)
    void requestLock()
  } else {
    removeEventListener('beforeunload', warn)
    document.removeEventListener('visibilitychange', requestLock)
    void lock?.release()
    lock = null
  }
}

/** Some browsers have no wake locks, or deny them when the battery is low. */
async function requestLock(): Promise<void> {
  if (document.visibilityState !== 'visible') return
  const newLock = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null
  if (isActive) lock = newLock
  else await newLock?.release()
}
