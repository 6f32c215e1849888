import { isServiceReachable, reloadPage } from '../../shared/reload-page.ts'
import { showNotice } from '../parts/notices.tsx'
import { handleLoadFailure } from '../parts/open-dialog.tsx'
import { whenLayersLeft } from '../state/history-layers.ts'
import { t } from '../state/page.ts'
import { readPending } from './pending-selection.ts'

const loadQuickSend = () => import('./quick-send.tsx')

/** Sends the stored selection after a countdown. */
export const beginSending = (): void => void loadQuickSend().then((loaded) => loaded.beginSending(), handleFailure)

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
