const padTwo = (value: number): string => String(value).padStart(2, '0')

/** Returns the value of a `datetime-local` field in the browser's time zone, to the minute; '' for null. */
export function formatLocalDateTime(iso: string | null): string {
  if (iso === null) return ''
  const time = new Date(iso)
  const day = [String(time.getFullYear()).padStart(4, '0'), padTwo(time.getMonth() + 1), padTwo(time.getDate())].join(
    '-',
  )
  return `${day}T${padTwo(time.getHours())}:${padTwo(time.getMinutes())}`
}

/** Returns the ISO time of a `datetime-local` value; null if it is empty or invalid. */
export function parseLocalDateTime(local: string): string | null {
  const time = new Date(local)
  return local === '' || Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** Returns the end of the day that is `days` days from now, as a `datetime-local` value. */
export function endOfDayAfter(days: number, now = new Date()): string {
  const end = new Date(now)
  end.setDate(end.getDate() + days)
  end.setHours(23, 59, 0, 0)
  return formatLocalDateTime(end.toISOString())
}
