import { createHash } from 'node:crypto'
import { safeOriginalName } from '../photos/photo-files.ts'

/** How programs that copy, sync or download name what is not whole yet. */
const unfinished = /\.(part|partial|filepart|crdownload|opdownload|download|tmp|temp|bts|!ut|!sync)$/i
/** What file managers, cameras and network drives leave beside pictures. */
const byTheWay = new Set(['thumbs.db', 'desktop.ini', 'icon\r', '@eadir', '#recycle', '__macosx'])

/** Whether a file or folder is no business of an import: hidden, unfinished, or made by a program for itself. */
export const isPassedOver = (name: string): boolean =>
  /^(\.|~)/.test(name) || unfinished.test(name) || byTheWay.has(name.toLowerCase())

const maxShownLength = 300

/** A path as it may be shown and kept as text. */
export const shownPath = (segments: readonly string[]): string =>
  segments
    .map((segment) => safeOriginalName(segment, ''))
    .join('/')
    .slice(-maxShownLength)
    .toWellFormed()

export const digestOf = (source: string, path: Buffer | string): string =>
  createHash('sha256').update(`${source}\n`).update(path).digest('hex')

const naturally = new Intl.Collator('en', { numeric: true })

/** In the order in which their owner sees them. */
export const inOrderOfNames = (a: { path: string }, b: { path: string }): number => naturally.compare(a.path, b.path)

/** `a.jpg`, `a_1.jpg`, `a_2.jpg` …: names under which a file may stand beside others. */
export function* freeNames(name: string): Generator<string> {
  yield name
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,10})?$/s.exec(name) ?? []
  for (let number = 1; ; number++) yield `${stem}_${number}${extension}`
}
