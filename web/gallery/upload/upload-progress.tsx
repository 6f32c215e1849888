import { formatDuration, formatSize } from '../../shared/format-units.ts'
import { AnyIcon } from '../parts/any-icon.tsx'
import { page, t } from '../state/page.ts'
import { isPaused, pace, pauseUpload, resumeUpload, totals, trouble } from './uploader.ts'

export function UploadProgress() {
  const { done, files, bytes, sentBytes } = totals.value
  return (
    <section class="bring-all" aria-label={t('uploadProgress')}>
      <p class="bring-sum" role="status">
        {t('uploadCount', { added: done, total: files })}
      </p>
      <button
        type="button"
        class="round"
        aria-label={t(isPaused.value ? 'uploadResume' : 'uploadPause')}
        onClick={isPaused.value ? resumeUpload : pauseUpload}
      >
        <AnyIcon name={isPaused.value ? 'play' : 'pause'} />
      </button>
      <progress value={sentBytes} max={bytes || 1} aria-label={t('uploadProgress')} />
      <p class="bring-quiet">
        {t('uploadBytes', { sent: formatSize(sentBytes, page.locale), total: formatSize(bytes, page.locale) })} ·{' '}
        {formatPace()}
      </p>
      <p class="bring-quiet">{t('uploadStay')}</p>
    </section>
  )
}

function formatPace(): string {
  if (isPaused.value) return t('uploadPaused')
  if (trouble.value === 'line') return t('uploadWaitsForLine')
  if (trouble.value === 'service') return t('uploadWaitsForService')
  const { bytesPerSecond, secondsLeft } = pace.value
  if (bytesPerSecond === null || secondsLeft === null) return t('uploadSends')
  const speed = t('uploadSpeed', { size: formatSize(bytesPerSecond, page.locale) })
  if (secondsLeft < 1) return speed
  return `${speed} · ${t('uploadLeft', { time: formatDuration(secondsLeft, page.locale) })}`
}
