const two = (value: number): string => String(value).padStart(2, '0')

/** A moment as a field of date and time shows it: in the reader's time zone, to the minute. Empty for none. */
export function localTime(iso: string | null): string {
  if (iso === null) return ''
  const time = new Date(iso)
  const day = [String(time.getFullYear()).padStart(4, '0'), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`
}

/** The moment that such a field names; null for none. */
export function momentOf(local: string): string | null {
  const time = new Date(local)
  return local === '' || Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** The end of the day so many days from now, as such a field shows it. */
export function inDays(days: number, now = new Date()): string {
  const end = new Date(now)
  end.setDate(end.getDate() + days)
  end.setHours(23, 59, 0, 0)
  return localTime(end.toISOString())
}
