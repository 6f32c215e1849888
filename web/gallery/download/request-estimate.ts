import type { DownloadEstimate } from '../../../contract/gallery/gallery-downloads.ts'
import type { GalleryMessageKey } from '../../../locales/gallery-messages.ts'
import { ApiError, call, Unreachable } from '../state/api.ts'
import { type DownloadPart, getZipRoute } from './download-parts.ts'

export type EstimateResult = { estimate: DownloadEstimate } | { problem: GalleryMessageKey; canRetry: boolean }

/** Throws only when `signal` is aborted. */
export async function requestEstimate(part: DownloadPart, signal: AbortSignal): Promise<EstimateResult> {
  const { path, query } = getZipRoute(part, 'estimate')
  const search = new URLSearchParams(query).toString()
  try {
    return { estimate: await call<typeof DownloadEstimate>(path + (search && `?${search}`), { signal }) }
  } catch (error) {
    if (signal.aborted) throw error
    return toEstimateProblem(error)
  }
}

export function toEstimateProblem(error: unknown): Extract<EstimateResult, { problem: GalleryMessageKey }> {
  if (error instanceof Unreachable) return { problem: 'zipOffline', canRetry: true }
  if (!(error instanceof ApiError)) return { problem: 'failed', canRetry: true }
  if (error.code === 'DOWNLOAD_DISABLED') return { problem: 'zipDisabled', canRetry: false }
  if (error.code === 'GALLERY_EXPIRED') return { problem: 'zipClosed', canRetry: false }
  if (error.status === 404) return { problem: 'zipNothing', canRetry: false }
  if (error.status === 401) return { problem: 'sessionOver', canRetry: false }
  return { problem: 'failed', canRetry: true }
}

const firstWaitMs = 2_000
const maxWaitMs = 15_000

/** Returns milliseconds. The wait grows with the number of requests. */
export const getPollDelayMs = (attempts: number): number => Math.min(maxWaitMs, firstWaitMs * 1.4 ** attempts)
