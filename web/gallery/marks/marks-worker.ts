import { markChannel } from './mark-channel.ts'
import { storeOfBrowser } from './mark-store.ts'
import { postMark } from './post-mark.ts'
import { alone, sendMarks } from './send-marks.ts'

// Sends the marks that wait when their page is closed. It has no other work: it answers no requests and keeps no files, so
// that any version of it serves pages of any other, and a new one may take over at once.

type ExtendableEvent = Event & { waitUntil: (work: Promise<unknown>) => void }
const scope = self as unknown as { skipWaiting: () => Promise<void> }

addEventListener('install', () => void scope.skipWaiting())

/** There is a connection again. The browser asks once more, later, when this fails. */
addEventListener('sync', (event) => {
  const sent = send().then((heldUp) => {
    if (heldUp) throw new Error('Some marks have to wait')
  })
  ;(event as ExtendableEvent).waitUntil(sent)
})

/** A page with marks that wait is about to go. */
addEventListener('message', (event) => {
  ;(event as unknown as ExtendableEvent).waitUntil(send().catch(() => undefined))
})

async function send() {
  const channel = new BroadcastChannel(markChannel)
  try {
    return await alone(() =>
      sendMarks({
        store: storeOfBrowser(),
        post: postMark,
        // What the service does not want waits for the gallery to be opened: then its guest can be told.
        mayDrop: () => false,
        hear: (mark, outcome) => channel.postMessage({ mark, outcome }),
      }),
    )
  } finally {
    channel.close()
  }
}
