import { useState } from 'react'
import { formatSize } from '../../shared/format-units.ts'
import { language, translator } from '../app/language.ts'
import { Button, Buttons } from '../components/button.tsx'
import { confirm } from '../components/confirm.tsx'
import { showNotice } from '../components/notices.tsx'
import type { Interrupted } from './stored-queue.ts'
import { continueInterrupted, discardInterrupted, type UploadTarget } from './uploader.ts'

const t = translator('uploads')

/** Offers to resume interrupted uploads. Without stored folder handles, the operator must select the files again. */
export function InterruptedOffer({ interrupted, target }: { interrupted: Interrupted; target: UploadTarget }) {
  const [isResuming, setResuming] = useState(false)
  const { files, hasHandles } = interrupted
  const count = files.length
  const size = formatSize(
    files.reduce((sum, one) => sum + one.size, 0),
    language,
  )
  const resume = async () => {
    setResuming(true)
    const left = await continueInterrupted(target).finally(() => setResuming(false))
    if (left > 0) showNotice(t('notFound', { count: left }), { isAlarm: true })
  }
  const discard = async () => {
    const isConfirmed = await confirm({
      title: t('discardTitle'),
      text: t('discardText', { count }),
      action: t('discard'),
    })
    if (isConfirmed) discardInterrupted(target.eventId)
  }
  return (
    <div className="upload-offer" role="status">
      <div>
        <p className="upload-sum">{t('interrupted', { count, size })}</p>
        <p className="quiet-text">{t(hasHandles ? 'interruptedHandles' : 'interruptedAgain')}</p>
      </div>
      <Buttons>
        {hasHandles && (
          <Button kind="primary" icon="play" isBusy={isResuming} onClick={resume}>
            {t('goOn')}
          </Button>
        )}
        <Button kind="quiet" onClick={discard}>
          {t('discard')}
        </Button>
      </Buttons>
    </div>
  )
}
