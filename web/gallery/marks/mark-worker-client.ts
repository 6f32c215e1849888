/** The server serves the worker below /gallery/, so that its scope covers all galleries. */
const address = '/gallery/marks-worker.js'

/** Background sync. It wakes the worker when there is a connection, but not every browser has it. */
type WithSync = { sync?: { register: (name: string) => Promise<void> } }

let registration: (ServiceWorkerRegistration & WithSync) | null = null

export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || !navigator.locks) return
  setTimeout(async () => {
    try {
      await navigator.serviceWorker.register(address, { scope: '/gallery/' })
      registration = await navigator.serviceWorker.ready
    } catch {
      // Without a worker, waiting marks are sent when a gallery is open.
    }
  }, 3_000)
}

export const wakeWorker = (): void => registration?.active?.postMessage('send')

export function wakeWorkerLater(): void {
  registration?.sync?.register('marks').catch(() => undefined)
}
