import './send-line.css'
import { showNotice } from '../parts/notices.tsx'
import { t } from '../state/page.ts'
import { canLoadSubmitDialog, openSubmitDialog } from './open-submit-dialog.ts'
import { readPending, sendStage, withdrawPending } from './pending-selection.ts'

/** The line of picks that wait for a connection, if that of quick-send.tsx could not be loaded. */
export const WaitingPicks = () =>
  sendStage.value === 'waiting' && (
    <p class="waiting send-line">
      <span>{t('picksUnsent')}</span>
      {!readPending()?.body && (
        <button type="button" onClick={() => void addMessage()}>
          {t('addMessage')}
        </button>
      )}
      <button type="button" onClick={undo}>
        {t('undo')}
      </button>
    </p>
  )

function undo(): void {
  withdrawPending()
  sendStage.value = null
}

async function addMessage(): Promise<void> {
  if (!(await canLoadSubmitDialog())) return showNotice(t('messageOffline'))
  if (sendStage.peek() !== 'waiting') return
  undo()
  openSubmitDialog()
}
