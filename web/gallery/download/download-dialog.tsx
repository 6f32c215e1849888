import './download-dialog.css'
import { useEffect, useState } from 'preact/hooks'
import type { GalleryFilterQuery } from '../../../contract/gallery.ts'
import type { DownloadEstimate } from '../../../contract/gallery-downloads.ts'
import { formatSize } from '../../shared/size-words.ts'
import { Icon } from '../parts/icon.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { addressOf } from '../state/api.ts'
import { page, t } from '../state/page.ts'
import { asked, outline } from '../state/photos.ts'
import { askEstimate, type Prospect, waitBeforeAsking } from './ask-estimate.ts'
import { type DownloadPart, downloadParts, routeOf } from './download-parts.ts'

export type WantedDownload = { ids: readonly number[] } | { filters: GalleryFilterQuery }

function partsOf(wanted: WantedDownload): DownloadPart[] {
  const shown = { ids: outline.peek().map(({ id }) => id), asked: asked.peek() }
  return 'ids' in wanted ? downloadParts(wanted.ids, shown) : [wanted]
}

export function DownloadDialog({ wanted, onClose }: { wanted: WantedDownload; onClose: () => void }) {
  const [parts] = useState(() => partsOf(wanted))
  const [hasBegun, setHasBegun] = useState(false)
  return (
    <Sheet title={t('zipTitle')} onClose={onClose}>
      <div class="zip">
        {parts.length > 1 && <p class="zip-quiet">{t('zipInParts', { count: parts.length })}</p>}
        {parts.map((part, index) => (
          <ZipPart
            key={index}
            part={part}
            name={parts.length > 1 ? t('zipPart', { number: index + 1, total: parts.length }) : null}
            onBegin={() => setHasBegun(true)}
          />
        ))}
        <p class="zip-quiet" role="status">
          {hasBegun ? t('zipBegun') : t('zipResumes')} {isAppleTouch() && t('zipFiles')}
        </p>
      </div>
    </Sheet>
  )
}

/** iPadOS reports itself as a Mac, but no Mac has a touchscreen. */
const isAppleTouch = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

type PartProps = { part: DownloadPart; name: string | null; onBegin: () => void }

function ZipPart({ part, name, onBegin }: PartProps) {
  const { prospect, askAgain } = useProspect(part)
  return (
    <section class="zip-part" aria-busy={prospect === null}>
      {name && <h3>{name}</h3>}
      {prospect === null && <p class="zip-quiet">{t('zipAsking')}</p>}
      {prospect && 'problem' in prospect && (
        <>
          <p role="alert">{t(prospect.problem)}</p>
          {prospect.canRetry && (
            <button type="button" class="button" onClick={askAgain}>
              {t('tryAgain')}
            </button>
          )}
        </>
      )}
      {prospect && 'estimate' in prospect && <Estimate part={part} estimate={prospect.estimate} onBegin={onBegin} />}
    </section>
  )
}

function Estimate({ part, estimate, onBegin }: Omit<PartProps, 'name'> & { estimate: DownloadEstimate }) {
  const { count, bytes, ready, ready_count: readyCount, missing, withheld } = estimate
  const { path, query } = routeOf(part, 'zip')
  const size = formatSize(bytes, page.locale)
  return (
    <>
      <p class="zip-sum">
        {count === 0 ? t('zipNothing') : `${t('photos', { count })}, ${ready ? size : t('zipAbout', { size })}`}
      </p>
      {withheld > 0 && <p class="zip-quiet">{t('zipWithheld', { count: withheld })}</p>}
      {missing > 0 && <p class="zip-quiet">{t('zipMissing', { count: missing })}</p>}
      {!ready && (
        <p class="zip-preparing">
          <progress value={readyCount} max={count} aria-label={t('zipPreparingName')} />
          <span role="status">{t('zipPreparing', { ready: readyCount, total: count })}</span>
        </p>
      )}
      {ready && count > 0 && (
        <a class="button primary" href={addressOf(path, query)} download onClick={onBegin}>
          <Icon name="download" />
          {t('zipDownload', { size })}
        </a>
      )}
    </>
  )
}

/** `result` is null until a response arrives. While files are prepared, a visible page repeats the request. */
function useProspect(part: DownloadPart): { prospect: Prospect | null; askAgain: () => void } {
  const [prospect, setProspect] = useState<Prospect | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const asking = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (times: number): Promise<void> => {
      const found = await askEstimate(part, asking.signal)
      setProspect(found)
      const isPreparing = 'estimate' in found && !found.estimate.ready
      if (isPreparing) timer = setTimeout(() => askWhenSeen(times + 1), waitBeforeAsking(times))
    }
    const askWhenSeen = (times: number): void => {
      if (document.visibilityState === 'visible') ask(times).catch(ignoreAbort)
      else timer = setTimeout(() => askWhenSeen(times), waitBeforeAsking(0))
    }
    ask(0).catch(ignoreAbort)
    const onOnline = () => setAttempt((before) => before + 1)
    addEventListener('online', onOnline)
    return () => {
      asking.abort()
      clearTimeout(timer)
      removeEventListener('online', onOnline)
    }
  }, [part, attempt])
  const askAgain = () => {
    setProspect(null)
    setAttempt(attempt + 1)
  }
  return { prospect, askAgain }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException)) throw error
}
