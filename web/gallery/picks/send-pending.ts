import { isServiceReachable, reloadPage } from '../../shared/reload-page.ts'
import { loadWhenReachable } from '../parts/load-when-reachable.ts'
import { handleLoadFailure, handlePreloadFailure } from '../parts/open-dialog.tsx'
import { preloadLater } from '../parts/preload-later.ts'
import { Unreachable } from '../state/api.ts'
import { whenLayersLeft } from '../state/history-layers.ts'
import { loadSubmitDialog } from './open-submit-dialog.ts'
import { readPending, sendStage } from './pending-selection.ts'

const loadQuickSend = loadWhenReachable(() => import('./quick-send.tsx'))

/** Not every lost connection ends with an event. */
const retryDelayMs = 30_000
let timer: ReturnType<typeof setTimeout> | undefined

/** Soon loads what sends picks, so that it also works if the connection is lost. Returns a function that cancels it. */
export const preloadSending = (): (() => void) =>
  preloadLater(() => Promise.all([loadQuickSend(), loadSubmitDialog()]).catch(handlePreloadFailure))

/** Sends the stored selection after a countdown. */
export function beginSending(): void {
  void loadQuickSend().then((loaded) => loaded.beginSending(), handleFailure)
  // The guest can add a message.
  loadSubmitDialog().catch(handlePreloadFailure)
}

/** Sends the stored selection, or waits for a connection. */
export const sendWhenOnline = (): void => void loadQuickSend().then((loaded) => loaded.resumeSending(), handleFailure)

/** Sends a selection that an earlier visit could not send. Call it when the stored marks are loaded. */
export function resumePending(): void {
  if (readPending())
    loadQuickSend()
      .then((loaded) => loaded.resumeSending())
      .catch((error) => error instanceof Unreachable && waitForConnection())
}

/** The selection is stored. Without a connection, it waits for one, or for the next visit. */
async function handleFailure(error: unknown): Promise<void> {
  if (error instanceof Unreachable) return waitForConnection()
  if (await isServiceReachable()) return void handleLoadFailure()
  sendStage.value = 'waiting'
  // Browsers remember that the module failed to load, so it takes a new page.
  addEventListener('online', () => whenLayersLeft(() => void reloadPage()), { once: true })
}

function waitForConnection(): void {
  sendStage.value = 'waiting'
  addEventListener('online', retry, { once: true })
  clearTimeout(timer)
  timer = setTimeout(retry, retryDelayMs)
}

function retry(): void {
  if (sendStage.peek() === 'waiting') sendWhenOnline()
}
