let lock: WakeLockSentinel | null = null
let isWanted = false

const warn = (event: BeforeUnloadEvent): void => event.preventDefault()

/** While files are uploading, leaving the page asks for confirmation and the screen stays on. */
export function keepAwake(isUnderWay: boolean): void {
  if (isUnderWay === isWanted) return
  isWanted = isUnderWay
  if (isUnderWay) {
    addEventListener('beforeunload', warn)
    // The lock is lost whenever the page is hidden.
    document.addEventListener('visibilitychange', takeLock)
    void takeLock()
  } else {
    removeEventListener('beforeunload', warn)
    document.removeEventListener('visibilitychange', takeLock)
    void lock?.release()
    lock = null
  }
}

/** Some browsers have no wake locks, or deny them when the battery is low. */
async function takeLock(): Promise<void> {
  if (document.visibilityState !== 'visible') return
  const taken = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null
  if (isWanted) lock = taken
  else await taken?.release()
}
