const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB']

/** Returns a size such as `12.5 GB`, in powers of 1000. */
export function formatByteSize(bytes: number, locale = 'en'): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  const digits = step === 0 || value >= 100 ? 0 : 1
  const figure = value.toLocaleString(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  })
  return `${figure} ${units[step]}`
}
