import './send-line.css'
import { t } from '../state/page.ts'
import { sendStage, withdrawPending } from './pending-selection.ts'

/** The line of picks that wait for a connection, if that of quick-send.tsx could not be loaded. */
export const WaitingPicks = () =>
  sendStage.value === 'waiting' && (
    <p class="waiting send-line">
      <span>{t('picksUnsent')}</span>
      <button type="button" class="link" onClick={undo}>
        {t('undo')}
      </button>
    </p>
  )

function undo(): void {
  withdrawPending()
  sendStage.value = null
}
