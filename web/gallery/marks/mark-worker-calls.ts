/** `server/gallery/gallery-page-api.ts` serves it there, so that it is the worker of all galleries. */
const address = '/gallery/marks-worker.js'

/** Not in every browser: it asks the worker when there is a connection again, also when no page is open. */
type WithSync = { sync?: { register: (name: string) => Promise<void> } }

let registration: (ServiceWorkerRegistration & WithSync) | null = null

/** Pages of galleries have a worker where it and they can take turns, and in a moment when nothing else is to be done. */
export function readyWorker(): void {
  if (!('serviceWorker' in navigator) || !navigator.locks) return
  setTimeout(async () => {
    try {
      await navigator.serviceWorker.register(address, { scope: '/gallery/' })
      registration = await navigator.serviceWorker.ready
    } catch {
      // Without one, what waits is sent when a gallery is open.
    }
  }, 3_000)
}

/** Has the worker send what waits, also when this page goes. */
export const callWorker = (): void => registration?.active?.postMessage('send')

export function callWorkerLater(): void {
  registration?.sync?.register('marks').catch(() => undefined)
}
