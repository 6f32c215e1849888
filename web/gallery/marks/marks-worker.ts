import { createBrowserStore } from './mark-store.ts'
import { markChannel, sendMarks, withMarksLock } from './send-marks.ts'

// A service worker that sends waiting marks after their page is closed. It handles no requests and caches no files, so
// a new release of the worker can take over at once, even while pages of an older release are open.

type ExtendableEvent = Event & { waitUntil: (work: Promise<unknown>) => void }
const scope = self as unknown as { skipWaiting: () => Promise<void> }

addEventListener('install', () => void scope.skipWaiting())

/** Fires when there is a connection. If the promise rejects, the browser retries later. */
addEventListener('sync', (event) => {
  const sent = send().then((sendDelay) => {
    if (sendDelay) throw new Error('Some marks have to wait')
  })
  ;(event as ExtendableEvent).waitUntil(sent)
})

/** A page with waiting marks sends this message when it becomes hidden. */
addEventListener('message', (event) => {
  ;(event as unknown as ExtendableEvent).waitUntil(send().catch(() => undefined))
})

async function send() {
  const channel = new BroadcastChannel(markChannel)
  try {
    return await withMarksLock(() =>
      sendMarks({
        store: createBrowserStore(),
        openSetAside: () => createBrowserStore('set-aside'),
        // A rejected mark stays stored until its gallery is opened, so that the guest sees the rejection.
        canDrop: () => false,
        handleOutcome: (mark, outcome) => channel.postMessage({ mark, outcome }),
      }),
    )
  } finally {
    channel.close()
  }
}
