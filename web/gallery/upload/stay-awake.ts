import { effect } from '@preact/signals'
import { isUnderWay } from './uploader.ts'

let lock: WakeLockSentinel | null = null

const warn = (event: BeforeUnloadEvent): void => event.preventDefault()

/** The screen may stay on; browsers that know no such thing, or refuse it for an empty battery, do without. */
async function keepAwake(): Promise<void> {
  if (!isUnderWay.peek() || document.visibilityState !== 'visible') return
  lock = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null
  if (!isUnderWay.peek()) await lock?.release()
}

/** While files are on their way, leaving the page asks first, and the screen stays on. */
export function stayAwake(): void {
  effect(() => {
    if (isUnderWay.value) {
      addEventListener('beforeunload', warn)
      void keepAwake()
    } else {
      removeEventListener('beforeunload', warn)
      void lock?.release()
      lock = null
    }
  })
  // The lock is lost whenever the page goes out of sight.
  document.addEventListener('visibilitychange', () => void keepAwake())
}
