import './waiting-line.css'
import { t } from '../state/page.ts'
import { waitingMarks, waitReason } from './own-marks.ts'

export function WaitingLine() {
  const count = waitingMarks.value
  if (count === 0 || waitReason.value === null) return null
  if (waitReason.value === 'connection') return <p class="waiting">{t('waiting', { count })}</p>
  return (
    <p class="waiting">
      <span>{t('sessionOver')}</span>
      <button type="button" onClick={() => location.reload()}>
        {t('openAgain')}
      </button>
    </p>
  )
}
