const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Returns a size such as "1.2 GB", with a decimal only below 10. */
export function formatSize(bytes: number, locale: string): string {
  let unit = 0
  let value = bytes
  // A value that would be formatted as 1,000 uses the next unit.
  while (unit < units.length - 1 && value >= 999.5) {
    value /= 1000
    unit++
  }
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[unit] ?? 'byte',
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 9.95 && unit > 0 ? 1 : 0,
  }).format(value)
}

/** Rounds up to steps of 5 seconds below 1.5 minutes; otherwise to minutes below 1.5 hours, and to half hours above. */
export function formatDuration(seconds: number, locale: string): string {
  const inUnit = (value: number, unit: 'second' | 'minute' | 'hour', maximumFractionDigits = 0) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits }).format(value)
  if (seconds < 90) return inUnit(Math.max(5, Math.ceil(seconds / 5) * 5), 'second')
  if (seconds < 90 * 60) return inUnit(Math.round(seconds / 60), 'minute')
  return inUnit(Math.round(seconds / 1800) / 2, 'hour', 1)
}
