import { readExif } from './read-exif.ts'

/** Returns epoch milliseconds, or null. Cameras write local time; a time without an offset is read as UTC. */
export async function readCaptureTime(path: string): Promise<number | null> {
  const tags = await readExif(path)
  const written = tags.DateTimeOriginal ?? tags.CreateDate
  if (typeof written !== 'string') return null
  const [, date, time] = /^(\d{4}[:-]\d{2}[:-]\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(written) ?? []
  if (!date || !time) return null
  const offset = tags.OffsetTimeOriginal
  const zone = typeof offset === 'string' && /^[+-]\d{2}:\d{2}$/.test(offset) ? offset : 'Z'
  const epochMs = Date.parse(`${date.replaceAll(':', '-')}T${time}${zone}`)
  return Number.isNaN(epochMs) ? null : epochMs
}
