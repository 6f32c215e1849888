export type VideoReport = {
  /** Seconds; null when the file contains no plausible duration. */
  duration: number | null
  /** Epoch milliseconds; null when the file contains no plausible time. */
  capturedAt: number | null
}

export function readVideoReport(report: string, now: number): VideoReport {
  return { duration: readDuration(report), capturedAt: readCapturedAt(report, now) }
}

const maxSeconds = 100 * 3600

/** Metadata lines begin with more spaces, so none of them can be taken for the duration line. */
function readDuration(report: string): number | null {
  const [, hours, minutes, seconds] = /^ {2}Duration: (\d{1,3}):(\d\d):(\d\d(?:\.\d{1,6})?), /m.exec(report) ?? []
  if (seconds === undefined) return null
  const duration = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return duration > 0 && duration < maxSeconds ? duration : null
}

const earliestMs = Date.parse('1990-01-01')
const oneDayMs = 24 * 3600 * 1000

/**
 * Prefers the recording time (`creationdate`), because editing programs change `creation_time`. Ignores times before
 * 1990, which come from clocks that were never set.
 */
function readCapturedAt(report: string, now: number): number | null {
  for (const key of ['com\\.apple\\.quicktime\\.creationdate', 'creation_time']) {
    const [, written = ''] = new RegExp(`^ +${key} *: (\\S{10,40}(?: [\\d:]{8})?)\\s*$`, 'm').exec(report) ?? []
    const epochMs = parseTime(written)
    if (epochMs !== null && epochMs >= earliestMs && epochMs <= now + oneDayMs) return epochMs
  }
  return null
}

function parseTime(written: string): number | null {
  const [, date, time, zone] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(written) ?? []
  if (!date || !time) return null
  const offset = zone === undefined || zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`
  const epochMs = Date.parse(`${date}T${time}${offset}`)
  return Number.isNaN(epochMs) ? null : epochMs
}

/** The size is as displayed: upright, with square pixels. */
export function readFrames(report: string): { count: number; width: number; height: number } | null {
  const frames = [...report.matchAll(/ n: *(\d+) pts: .*? sar:(\d+)\/(\d+) s:(\d+)x(\d+) /g)]
  const last = frames.at(-1)?.slice(1).map(Number)
  if (!last) return null
  const [number = 0, across = 0, down = 0, width = 0, height = 0] = last
  const pixelAspectRatio = across > 0 && down > 0 ? across / down : 1
  const displayedWidth = Math.round(width * pixelAspectRatio)
  const isPlausible = displayedWidth >= 1 && displayedWidth <= maxEdge && height >= 1 && height <= maxEdge
  return isPlausible ? { count: number + 1, width: displayedWidth, height } : null
}

const maxEdge = 65_535

/** Returns the last reported time in seconds. */
export function readProgress(report: string): number | null {
  const [, hours, minutes, seconds] = [...report.matchAll(/ time=(\d{1,3}):(\d\d):(\d\d(?:\.\d{1,6})?) /g)].at(-1) ?? []
  return seconds === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
