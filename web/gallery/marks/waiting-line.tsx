import './waiting-line.css'
import { say } from '../state/page.ts'
import { heldUpBy, waitingMarks } from './own-marks.ts'

export function WaitingLine() {
  const count = waitingMarks.value
  if (count === 0 || heldUpBy.value === null) return null
  if (heldUpBy.value === 'connection') return <p class="waiting">{say('waiting', { count })}</p>
  return (
    <p class="waiting">
      <span>{say('sessionOver')}</span>
      <button type="button" onClick={() => location.reload()}>
        {say('openAgain')}
      </button>
    </p>
  )
}
