let lock: WakeLockSentinel | null = null
let isWanted = false

const warn = (event: BeforeUnloadEvent): void => event.preventDefault()

/** While files are on their way, leaving the page asks first, and the screen stays on. */
export function keepAwake(isUnderWay: boolean): void {
  if (isUnderWay === isWanted) return
  isWanted = isUnderWay
  if (isUnderWay) {
    addEventListener('beforeunload', warn)
    // The lock is lost whenever the page goes out of sight.
    document.addEventListener('visibilitychange', takeLock)
    void takeLock()
  } else {
    removeEventListener('beforeunload', warn)
    document.removeEventListener('visibilitychange', takeLock)
    void lock?.release()
    lock = null
  }
}

/** Browsers that know no such thing, or refuse it for an empty battery, do without. */
async function takeLock(): Promise<void> {
  if (document.visibilityState !== 'visible') return
  const taken = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null
  if (isWanted) lock = taken
  else await taken?.release()
}
