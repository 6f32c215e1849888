import './waiting-line.css'
import { t } from '../state/page.ts'
import { heldUpBy, waitingMarks } from './own-marks.ts'

export function WaitingLine() {
  const count = waitingMarks.value
  if (count === 0 || heldUpBy.value === null) return null
  if (heldUpBy.value === 'connection') return <p class="waiting">{t('waiting', { count })}</p>
  return (
    <p class="waiting">
      <span>{t('sessionOver')}</span>
      <button type="button" onClick={() => location.reload()}>
        {t('openAgain')}
      </button>
    </p>
  )
}
