import { invalidField } from '../platform/errors/app-error.ts'
import { isPath, valueAt } from './filter-rules.ts'

const maxTemplateBytes = 8 * 1024
const maxSubstitutions = 64
const maxBodyBytes = 64 * 1024

export type RenderedBody = { body: string; contentType: 'application/json' | 'text/plain; charset=utf-8' }

type Part = { text: string } | { path: string; isQuoted: boolean }
type Template = { parts: Part[]; isJson: boolean }

/** Throws VALIDATION_ERROR for the field `template`. */
export function assertTemplate(source: string): void {
  if (source.trim() === '') throw invalid('must not be empty. Send null to use the unchanged envelope')
  if (Buffer.byteLength(source) > maxTemplateBytes) throw invalid('must not be longer than 8 KB')
  const paths = parse(source).parts.flatMap((part) => ('path' in part ? [part.path] : []))
  if (paths.length > maxSubstitutions) throw invalid(`must not have more than ${maxSubstitutions} substitutions`)
  if (paths.includes('')) throw invalid('must have a path in every substitution')
  if (!paths.every(isPath)) throw invalid('must only have paths such as data.event.slug in substitutions')
}

/**
 * Without a template (null), the body is the envelope. Escapes values in a JSON template, so that the values add no
 * keys. Throws VALIDATION_ERROR if the body of a template has more than 64 KB.
 */
export function renderBody(source: string | null, envelope: object): RenderedBody {
  if (source === null) return { body: JSON.stringify(envelope), contentType: 'application/json' }
  const { parts, isJson } = parse(source)
  const fill = (write: typeof toJson) =>
    parts.map((part) => ('text' in part ? part.text : write(valueAt(envelope, part.path), part.isQuoted))).join('')
  const text = isJson ? null : fill(toText)
  // The values of a template that becomes JSON only with its values are escaped too; otherwise they could add keys.
  const body = text === null || isJsonDocument(text) ? fill(toJson) : text
  if (Buffer.byteLength(body) > maxBodyBytes) throw invalid('must not produce a body of more than 64 KB')
  return { body, contentType: contentTypeOf(body) }
}

export const contentTypeOf = (body: string): RenderedBody['contentType'] =>
  isJsonText(body) ? 'application/json' : 'text/plain; charset=utf-8'

function parse(source: string): Template {
  const parts: Part[] = []
  let isQuoted = false
  for (let at = 0; at < source.length; ) {
    const start = source.indexOf('${', at)
    const text = source.slice(at, start === -1 ? source.length : start)
    if (text !== '') parts.push({ text })
    isQuoted = endsInsideQuotes(text, isQuoted)
    if (start === -1) break
    const end = source.indexOf('}', start)
    if (end === -1) throw invalid('must close every substitution with }')
    parts.push({ path: source.slice(start + 2, end).trim(), isQuoted })
    at = end + 1
  }
  return { parts, isJson: ['null', '1'].some((bare) => isJsonDocument(parts.map(placeholder(bare)).join(''))) }
}

/** Whether the end of the text is inside a JSON string. */
function endsInsideQuotes(text: string, wasQuoted: boolean): boolean {
  const quotes = text.replaceAll(/\\./gs, '').split('"').length - 1
  return quotes % 2 === 0 ? wasQuoted : !wasQuoted
}

/**
 * Returns the text of a part for the test whether a template is JSON. A substitution becomes `bare` outside of quotes
 * and a space inside quotes, because a space cannot complete an unfinished escape such as `\u00`.
 */
const placeholder =
  (bare: string) =>
  (part: Part): string => {
    if ('text' in part) return part.text
    return part.isQuoted ? ' ' : bare
  }

const toText = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const toJson = (value: unknown, isQuoted: boolean): string =>
  isQuoted ? JSON.stringify(toText(value)).slice(1, -1) : JSON.stringify(value ?? null)

/** Whether the text is a JSON object, array or string. A number, `true`, `false` or `null` does not count. */
const isJsonDocument = (text: string): boolean => /^\s*[[{"]/.test(text) && isJsonText(text)

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const invalid = (message: string) => invalidField('template', message)
