import { useEffect, useState } from 'preact/hooks'
import type { DownloadEstimate, ZipOptions } from '../../../contract/gallery/gallery-downloads.ts'
import type { MessageKey } from '../../../locales/catalogs.ts'
import { ApiError, Unreachable } from '../../shared/api-error.ts'
import { call } from '../state/api.ts'
import { type DownloadPart, getZipRoute, leaveOutUnknown } from './download-parts.ts'

/** `result` is null until the first request ends. The request is repeated while the service still prepares files. */
export function useEstimate(
  part: DownloadPart,
  options: ZipOptions,
): { result: EstimateResult | null; retry: () => void } {
  const [result, setResult] = useState<EstimateResult | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const request = async (times: number): Promise<void> => {
      const found = await requestEstimate(part, options, controller.signal)
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
  }, [part, options, attempt])
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
export type FoundEstimate = { part: DownloadPart; goneCount: number; estimate: DownloadEstimate }
type EstimateResult = FoundEstimate | { problem: MessageKey<'gallery'>; canRetry: boolean }

/** Asks again, once, without the photos that the service does not find. Throws only when `signal` is aborted. */
async function requestEstimate(
  part: DownloadPart,
  options: ZipOptions,
  signal: AbortSignal,
  goneCount = 0,
): Promise<EstimateResult> {
  const { path, query } = getZipRoute(part, 'estimate', options)
  const search = new URLSearchParams(query).toString()
  try {
    const estimate = await call<typeof DownloadEstimate>(path + (search && `?${search}`), { signal })
    return { part, goneCount, estimate }
  } catch (error) {
    if (signal.aborted) throw error
    const left = goneCount === 0 && error instanceof ApiError ? leaveOutUnknown(part, error) : null
    if (left?.part.ids.length === 0) return { problem: 'zipNothing', canRetry: false }
    if (left) return requestEstimate(left.part, options, signal, left.goneCount)
    return toEstimateProblem(error)
  }
}

/** By problem code or HTTP status. */
const permanentProblems: Record<string, MessageKey<'gallery'>> = {
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
