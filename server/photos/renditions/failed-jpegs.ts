import { isOutage } from '../../platform/background/failure-log.ts'
import { RecentMap } from '../../platform/background/recent-map.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { BackgroundCanceled } from '../../platform/media/image-workers.ts'
import { FileMissing, StorageFull } from '../../platform/storage/storage.ts'
import { type Clock, hours, minutes } from '../../platform/time/clock.ts'
import type { PhotoToRender } from './render-photo.ts'

/** A JPEG that failed is tried again after the shorter time, then after twice the time, up to the longer. */
const retryAfterMs = { min: minutes(1), max: hours(1) }
/** After this many unexpected errors a JPEG counts as failed, so that one photo does not delay a download forever. */
const maxUnexpected = 5

type Failure = { unexpectedCount: number; retryMs: number; retryAt: number }
type Jpeg = { photo: Pick<PhotoToRender, 'content_hash'>; bound_px: number }

/** Remembers which JPEG files, and so which files of downloads, could not be made by this process: the last 10,000. */
export function createFailedJpegs(clock: Clock) {
  const failures = new RecentMap<string, Failure>(10_000)
  const keyOf = ({ photo, bound_px }: Jpeg) => `${photo.content_hash} ${bound_px}`

  /** Returns whether the JPEG has failed and is not tried again yet. */
  const has = (jpeg: Jpeg): boolean => (failures.get(keyOf(jpeg))?.retryAt ?? 0) > clock.now()

  function record(jpeg: Jpeg, error: unknown): void {
    const isUnexpected = !isLost(error)
    if (has(jpeg) || (isUnexpected && isTemporary(error))) return
    const last = failures.get(keyOf(jpeg)) ?? { unexpectedCount: 0, retryMs: retryAfterMs.min / 2, retryAt: 0 }
    const unexpectedCount = last.unexpectedCount + (isUnexpected ? 1 : 0)
    const hasFailed = !isUnexpected || unexpectedCount >= maxUnexpected
    const retryMs = hasFailed ? Math.min(last.retryMs * 2, retryAfterMs.max) : last.retryMs
    failures.set(keyOf(jpeg), { unexpectedCount, retryMs, retryAt: hasFailed ? clock.now() + retryMs : 0 })
  }

  return { has, record }
}

/** The file is missing or cannot be rendered. */
const isLost = (error: unknown): boolean =>
  error instanceof FileMissing || (error instanceof AppError && error.code === 'PREVIEW_UNAVAILABLE')

/** The photo is not the cause: the same work can succeed later. */
export const isTemporary = (error: unknown): boolean =>
  isOutage(error) || [AppError, StorageFull, BackgroundCanceled].some((kind) => error instanceof kind)
