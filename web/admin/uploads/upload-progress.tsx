import { sayIn } from '../desk/language.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { confirm } from '../parts/confirm.tsx'
import { Progress } from '../parts/progress.tsx'
import { reportOf, totalsOf, type UploadEntry } from './upload-entries.ts'
import type { Uploads } from './upload-state.ts'
import { paceWords } from './upload-words.ts'
import { cancelAll, pauseUploads, resumeUploads } from './uploader.ts'

const say = sayIn('uploads')

type Props = { state: Uploads; entries: readonly UploadEntry[]; eventId: number }

export function UploadProgress({ state, entries, eventId }: Props) {
  const totals = totalsOf(entries)
  const { known, failed } = reportOf(entries)
  const { isPaused, trouble } = state
  const asides = [known > 0 && say('known', { count: known }), failed > 0 && say('failed', { count: failed })]
  const cancel = async () => {
    const count = totals.files - totals.done
    const isSure = await confirm({
      title: say('cancelTitle'),
      text: say('cancelText', { count }),
      action: say('cancelAll'),
    })
    if (isSure) cancelAll(eventId)
  }
  return (
    <div className="upload-all">
      <div className="upload-head">
        <div>
          <p className="upload-sum">{say('count', { done: totals.done, total: totals.files })}</p>
          <p className="quiet-text upload-pace">{[paceWords(state, totals), ...asides].filter(Boolean).join(' · ')}</p>
        </div>
        <Buttons>
          {isPaused ? (
            <Button icon="play" onClick={resumeUploads}>
              {say('goOn')}
            </Button>
          ) : (
            <Button icon="pause" onClick={pauseUploads}>
              {say('pause')}
            </Button>
          )}
          <Button kind="quiet" onClick={cancel}>
            {say('cancelAll')}
          </Button>
        </Buttons>
      </div>
      <Progress label={say('progress')} done={totals.sentBytes} total={totals.bytes} />
      <p className="heard" role="status">
        {say(isPaused ? 'paused' : trouble === 'line' ? 'waitsForLine' : trouble ? 'waitsForService' : 'underWay')}
      </p>
    </div>
  )
}
