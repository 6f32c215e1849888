import { isServiceReachable, reloadPage } from '../../shared/reload-page.ts'
import { showNotice } from '../parts/notices.tsx'
import { handleLoadFailure, recordPreloadFailure } from '../parts/open-dialog.tsx'
import { whenLayersLeft } from '../state/history-layers.ts'
import { t } from '../state/page.ts'
import { loadSubmitDialog } from './open-submit-dialog.ts'
import { readPending } from './pending-selection.ts'

const loadQuickSend = () => import('./quick-send.tsx')

/** Gives a new pick and the photos of the first screen time to load before it. */
const preloadDelayMs = 3_000

/** Soon loads what sends picks, so that it also works if the connection is lost. Returns a function that cancels it. */
export function preloadSending(): () => void {
  const timer = setTimeout(() => {
    if (navigator.onLine) Promise.all([loadQuickSend(), loadSubmitDialog()]).catch(recordPreloadFailure)
  }, preloadDelayMs)
  return () => clearTimeout(timer)
}

/** Sends the stored selection after a countdown. */
export function beginSending(): void {
  void loadQuickSend().then((loaded) => loaded.beginSending(), handleFailure)
  // The guest can add a message.
  loadSubmitDialog().catch(recordPreloadFailure)
}

/** Sends the stored selection, or waits for a connection. */
export const sendWhenOnline = (): void => void loadQuickSend().then((loaded) => loaded.resumeSending(), handleFailure)

/** Sends a selection that an earlier visit could not send. Call it when the stored marks are loaded. */
export function resumePending(): void {
  if (readPending())
    loadQuickSend()
      .then((loaded) => loaded.resumeSending())
      .catch(() => undefined)
}

/** The selection is stored. Without a connection, it is sent when there is one, or by the next visit. */
async function handleFailure(): Promise<void> {
  if (await isServiceReachable()) return void handleLoadFailure()
  showNotice(t('picksUnsent'))
  // Browsers remember that the module failed to load, so it takes a new page.
  addEventListener('online', () => whenLayersLeft(() => void reloadPage()), { once: true })
}
