import { Unreachable } from '../../shared/api-error.ts'
import { isServiceReachable, reloadPage } from '../../shared/reload-page.ts'
import { loadWhenReachable } from '../parts/load-when-reachable.ts'
import { handleLoadFailure } from '../parts/open-dialog.tsx'
import { whenLayersLeft } from '../state/history-layers.ts'
import { readPending, sendStage } from './pending-selection.ts'

export const loadQuickSend = loadWhenReachable(() => import('./quick-send.tsx'))

/** Not every lost connection ends with an event. */
const retryDelayMs = 30_000
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends the stored selection after a countdown. */
export const beginSending = (): void => void loadQuickSend().then((loaded) => loaded.beginSending(), handleFailure)

/** Sends the stored selection, or waits for a connection. */
const sendWhenOnline = (): void => void loadQuickSend().then((loaded) => loaded.resumeSending(), handleFailure)

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
