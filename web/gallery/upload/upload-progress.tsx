import { durationWords, sizeWords } from '../../shared/size-words.ts'
import { Icon } from '../parts/icon.tsx'
import { page, say } from '../state/page.ts'
import { isPaused, pace, pauseUpload, resumeUpload, totals, trouble } from './uploader.ts'

export function UploadProgress() {
  const { added, files, bytes, sentBytes } = totals.value
  return (
    <section class="bring-all" aria-label={say('uploadProgress')}>
      <p class="bring-sum" role="status">
        {say('uploadCount', { added, total: files })}
      </p>
      <button
        type="button"
        class="round"
        aria-label={say(isPaused.value ? 'uploadResume' : 'uploadPause')}
        onClick={isPaused.value ? resumeUpload : pauseUpload}
      >
        <Icon name={isPaused.value ? 'play' : 'pause'} />
      </button>
      <progress value={sentBytes} max={bytes || 1} aria-label={say('uploadProgress')} />
      <p class="bring-quiet">
        {say('uploadBytes', { sent: sizeWords(sentBytes, page.locale), total: sizeWords(bytes, page.locale) })} ·{' '}
        {paceWords()}
      </p>
      <p class="bring-quiet">{say('uploadStay')}</p>
    </section>
  )
}

function paceWords(): string {
  if (isPaused.value) return say('uploadPaused')
  if (trouble.value === 'line') return say('uploadWaitsForLine')
  if (trouble.value === 'service') return say('uploadWaitsForService')
  const { bytesPerSecond, secondsLeft } = pace.value
  if (bytesPerSecond === null || secondsLeft === null) return say('uploadSends')
  const speed = say('uploadSpeed', { size: sizeWords(bytesPerSecond, page.locale) })
  if (secondsLeft < 1) return speed
  return `${speed} · ${say('uploadLeft', { time: durationWords(secondsLeft, page.locale) })}`
}
