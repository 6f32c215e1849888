import { type Flag, flag } from '../../platform/database/tables.ts'

/** A value as the driver of the source gives it. PostgreSQL gives only text and null. */
export type SourceValue = string | number | bigint | Buffer | null | undefined

export type SourceRow = Readonly<Record<string, SourceValue>>

/** Returns null for missing values. */
export const toText = (value: SourceValue): string | null => {
  if (value === null || value === undefined) return null
  const text = typeof value === 'string' ? value : value.toString()
  // PostgreSQL stores no other text.
  return text.toWellFormed().replaceAll('\0', '')
}

/** Like `toText`, without white space at the ends. Returns null for blank text. */
export const toLine = (value: SourceValue): string | null => toText(value)?.trim() || null

export const toFlag = (value: SourceValue, missing = false): Flag => {
  const text = toLine(value)
  return text === null ? flag(missing) : flag(['1', 't', 'true'].includes(text.toLowerCase()))
}

/** Returns null for anything that is not a safe integer of at least 0. */
export const toWhole = (value: SourceValue): number | null => {
  const text = toLine(value)
  const number = text === null ? Number.NaN : Number(text)
  return Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** Earlier numbers are seconds: as milliseconds they would be in 1973. */
const earliestMs = 1e11

/**
 * Returns epoch milliseconds. One database may mix numbers, ISO 8601, and `YYYY-MM-DD HH:MM:SS` in UTC. Returns null for
 * anything else.
 */
export const toTime = (value: SourceValue): number | null => {
  const text = toLine(value)
  if (text === null) return null
  if (/^-?\d+(\.\d+)?$/.test(text)) {
    const number = Math.round(Number(text))
    return Math.abs(number) < earliestMs ? number * 1000 : number
  }
  const [, date = '', time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))? ?(Z|[+-]\d{2}(?::?\d{2})?)?$/i.exec(text) ?? []
  const offset = zone.replace(/^([+-]\d{2}):?(\d{2})?$/, (_all, hours, minutes = '00') => `${hours}:${minutes}`)
  const milliseconds = Date.parse(`${date}T${time}${offset.toUpperCase()}`)
  return Number.isNaN(milliseconds) ? null : milliseconds
}

/** Returns `YYYY-MM-DD`, or null. */
export const toDate = (value: SourceValue): string | null => {
  const text = toLine(value)
  if (text !== null && /^\d{4}-\d{2}-\d{2}/.test(text)) return text.slice(0, 10)
  const time = toTime(value)
  return time === null ? null : new Date(time).toISOString().slice(0, 10)
}

/** Returns null for invalid JSON. */
export const toJson = (value: SourceValue): unknown => {
  try {
    return JSON.parse(toText(value) ?? 'null')
  } catch {
    return null
  }
}

/** Repairs a name in UTF-8 that was read as Latin-1, as PicPeak reads the names of uploaded files. */
export const repairName = (name: string): string => {
  if (!/[\x80-\xff]/.test(name) || /[^\0-\xff]/.test(name)) return name
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(name, 'latin1'))
  } catch {
    return name
  }
}
