import { computeTotals } from '../../shared/uploads/upload-entries.ts'
import { translator } from '../app/language.ts'
import { Button, Buttons } from '../components/button.tsx'
import { confirm } from '../components/confirm.tsx'
import { Progress } from '../components/progress.tsx'
import { createReport, type UploadEntry } from './upload-entries.ts'
import { formatPace } from './upload-labels.ts'
import type { Uploads } from './upload-state.ts'
import { cancelAll, pauseUploads, resumeUploads } from './uploader.ts'

const t = translator('uploads')

type Props = { state: Uploads; entries: readonly UploadEntry[]; eventId: number }

export function UploadProgress({ state, entries, eventId }: Props) {
  const totals = computeTotals(entries)
  const { known, failed } = createReport(entries)
  const { isPaused, trouble } = state
  const asides = [known > 0 && t('known', { count: known }), failed > 0 && t('failed', { count: failed })]
  const cancel = async () => {
    const count = totals.files - totals.done
    const isConfirmed = await confirm({
      title: t('cancelTitle'),
      text: t('cancelText', { count }),
      action: t('cancelAll'),
    })
    if (isConfirmed) cancelAll(eventId)
  }
  return (
    <div className="upload-all">
      <div className="upload-head">
        <div>
          <p className="upload-sum">{t('count', { done: totals.done, total: totals.files })}</p>
          <p className="quiet-text upload-pace">{[formatPace(state, totals), ...asides].filter(Boolean).join(' · ')}</p>
        </div>
        <Buttons>
          {isPaused ? (
            <Button icon="play" onClick={resumeUploads}>
              {t('goOn')}
            </Button>
          ) : (
            <Button icon="pause" onClick={pauseUploads}>
              {t('pause')}
            </Button>
          )}
          <Button kind="quiet" onClick={cancel}>
            {t('cancelAll')}
          </Button>
        </Buttons>
      </div>
      <Progress label={t('progress')} done={totals.sentBytes} total={totals.bytes} />
      <p className="heard" role="status">
        {t(isPaused ? 'paused' : trouble === 'line' ? 'waitsForLine' : trouble ? 'waitsForService' : 'underWay')}
      </p>
    </div>
  )
}
