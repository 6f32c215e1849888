const earliestMs = Date.parse('1990-01-01')
const oneDayMs = 24 * 3600 * 1000

/**
 * Returns the first plausible time in epoch milliseconds, or null. Times before 1990 come from clocks that were never
 * set.
 */
export function selectCaptureTime(candidates: ReadonlyArray<number | null>, now: number): number | null {
  return candidates.find((time) => time !== null && time >= earliestMs && time <= now + oneDayMs) ?? null
}

/**
 * Parses a time such as `2021-04-10T11:43:59+0130`. The time on the clock of the camera is read as UTC, as that of photos.
 * Returns null for other text.
 */
export function parseWrittenTime(written: string): number | null {
  const [, date, time] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?$/.exec(written.trim()) ?? []
  if (!date || !time) return null
  const epochMs = Date.parse(`${date}T${time}Z`)
  return Number.isNaN(epochMs) ? null : epochMs
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** Parses the time of an AVI file, such as `Mon Mar 10 15:04:43 2003`, as UTC. Returns null for other text. */
export function parseAviTime(written: string): number | null {
  const [, name = '', day, time, year] =
    /^\w{3} +(\w{3}) +(\d{1,2}) +(\d\d:\d\d:\d\d) +(\d{4})/.exec(written.slice(0, 40)) ?? []
  const month = months.indexOf(name.toUpperCase()) + 1
  if (month === 0 || day === undefined) return null
  return parseWrittenTime(`${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}T${time}`)
}
