import './download-dialog.css'
import { useEffect, useState } from 'preact/hooks'
import type { GalleryFilterQuery } from '../../../contract/gallery/gallery.ts'
import type { DownloadEstimate } from '../../../contract/gallery/gallery-downloads.ts'
import type { GalleryMessageKey } from '../../../locales/gallery-messages.ts'
import { formatSize } from '../../shared/format-units.ts'
import { Icon } from '../parts/icon.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { ApiError, call, getRouteUrl, Unreachable } from '../state/api.ts'
import { page, t } from '../state/page.ts'
import { asked, outline } from '../state/photos.ts'
import { type DownloadPart, getZipRoute, leaveOutUnknown, splitDownload } from './download-parts.ts'

export type DownloadTarget = { ids: readonly number[] } | { filters: GalleryFilterQuery }

function createParts(target: DownloadTarget): DownloadPart[] {
  const shown = { ids: outline.peek().map(({ id }) => id), asked: asked.peek() }
  return 'ids' in target ? splitDownload(target.ids, shown) : [target]
}

export function DownloadDialog({ target, onClose }: { target: DownloadTarget; onClose: () => void }) {
  const [parts] = useState(() => createParts(target))
  const [hasStarted, setHasStarted] = useState(false)
  return (
    <Sheet title={t('zipTitle')} onClose={onClose}>
      <div class="zip">
        {parts.length > 1 && <p class="zip-quiet">{t('zipInParts', { count: parts.length })}</p>}
        {parts.map((part, index) => (
          <ZipPart
            key={index}
            part={part}
            name={parts.length > 1 ? t('zipPart', { number: index + 1, total: parts.length }) : null}
            onStart={() => setHasStarted(true)}
          />
        ))}
        <p class="zip-quiet" role="status">
          {hasStarted ? t('zipBegun') : t('zipResumes')} {isAppleTouchDevice() && t('zipFiles')}
        </p>
      </div>
    </Sheet>
  )
}

/** iPadOS reports itself as a Mac, but no Mac has a touchscreen. */
const isAppleTouchDevice = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

type PartProps = { part: DownloadPart; name: string | null; onStart: () => void }

function ZipPart({ part, name, onStart }: PartProps) {
  const { result, retry } = useEstimate(part)
  return (
    <section class="zip-part" aria-busy={result === null}>
      {name && <h3>{name}</h3>}
      {result === null && <p class="zip-quiet">{t('zipAsking')}</p>}
      {result && 'problem' in result && (
        <>
          <p role="alert">{t(result.problem)}</p>
          {result.canRetry && (
            <button type="button" class="button" onClick={retry}>
              {t('tryAgain')}
            </button>
          )}
        </>
      )}
      {result && 'estimate' in result && <Estimate {...result} onStart={onStart} />}
    </section>
  )
}

function Estimate({ part, goneCount, estimate, onStart }: FoundEstimate & Pick<PartProps, 'onStart'>) {
  const { count, bytes, ready, ready_count: readyCount, missing, withheld } = estimate
  const { path, query } = getZipRoute(part, 'zip')
  const size = formatSize(bytes, page.locale)
  return (
    <>
      <p class="zip-sum">
        {count === 0 ? t('zipNothing') : `${t('photos', { count })}, ${ready ? size : t('zipAbout', { size })}`}
      </p>
      {goneCount > 0 && <p class="zip-quiet">{t('zipGone', { count: goneCount })}</p>}
      {withheld > 0 && <p class="zip-quiet">{t('zipWithheld', { count: withheld })}</p>}
      {missing > 0 && <p class="zip-quiet">{t('zipMissing', { count: missing })}</p>}
      {!ready && (
        <p class="zip-preparing">
          <progress value={readyCount} max={count} aria-label={t('zipPreparingName')} />
          <span role="status">{t('zipPreparing', { ready: readyCount, total: count })}</span>
        </p>
      )}
      {ready && count > 0 && (
        <a class="button primary" href={getRouteUrl(path, query)} download onClick={onStart}>
          <Icon name="download" />
          {t('zipDownload', { size })}
        </a>
      )}
    </>
  )
}

/** `result` is null until the first request ends. The request is repeated while the service still prepares files. */
function useEstimate(part: DownloadPart): { result: EstimateResult | null; retry: () => void } {
  const [result, setResult] = useState<EstimateResult | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const request = async (times: number): Promise<void> => {
      const found = await requestEstimate(part, controller.signal)
      setResult(found)
      const isPreparing = 'estimate' in found && !found.estimate.ready
      if (isPreparing) timer = setTimeout(() => requestWhenVisible(times + 1), getPollDelayMs(times))
    }
    const requestWhenVisible = (times: number): void => {
      if (document.visibilityState === 'visible') request(times).catch(ignoreAbort)
      else timer = setTimeout(() => requestWhenVisible(times), getPollDelayMs(0))
    }
    request(0).catch(ignoreAbort)
    const onOnline = () => setAttempt((before) => before + 1)
    addEventListener('online', onOnline)
    return () => {
      controller.abort()
      clearTimeout(timer)
      removeEventListener('online', onOnline)
    }
  }, [part, attempt])
  const retry = () => {
    setResult(null)
    setAttempt(attempt + 1)
  }
  return { result, retry }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException)) throw error
}

/** `goneCount`: photos that were left out of `part`, because guests can no longer see them. */
type FoundEstimate = { part: DownloadPart; goneCount: number; estimate: DownloadEstimate }
type EstimateResult = FoundEstimate | { problem: GalleryMessageKey; canRetry: boolean }

/** Asks again, once, without the photos that the service does not find. Throws only when `signal` is aborted. */
async function requestEstimate(part: DownloadPart, signal: AbortSignal, goneCount = 0): Promise<EstimateResult> {
  const { path, query } = getZipRoute(part, 'estimate')
  const search = new URLSearchParams(query).toString()
  try {
    const estimate = await call<typeof DownloadEstimate>(path + (search && `?${search}`), { signal })
    return { part, goneCount, estimate }
  } catch (error) {
    if (signal.aborted) throw error
    const left = goneCount === 0 && error instanceof ApiError ? leaveOutUnknown(part, error) : null
    if (left?.part.ids.length === 0) return { problem: 'zipNothing', canRetry: false }
    if (left) return requestEstimate(left.part, signal, left.goneCount)
    return toEstimateProblem(error)
  }
}

/** By problem code or HTTP status. */
const permanentProblems: Record<string, GalleryMessageKey> = {
  DOWNLOAD_DISABLED: 'zipDisabled',
  GALLERY_EXPIRED: 'expired',
  404: 'zipNothing',
  401: 'sessionOver',
}

function toEstimateProblem(error: unknown): EstimateResult {
  if (error instanceof Unreachable) return { problem: 'zipOffline', canRetry: true }
  const problem = error instanceof ApiError && (permanentProblems[error.code] ?? permanentProblems[error.status])
  return problem ? { problem, canRetry: false } : { problem: 'failed', canRetry: true }
}

const firstWaitMs = 2_000
const maxWaitMs = 15_000

const getPollDelayMs = (attempts: number): number => Math.min(maxWaitMs, firstWaitMs * 1.4 ** attempts)
