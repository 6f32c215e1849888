import { createHash } from 'node:crypto'
import { safeOriginalName } from '../photos/photo-files.ts'

const unfinished = /\.(part|partial|filepart|crdownload|opdownload|download|tmp|temp|bts|!ut|!sync)$/i
const byTheWay = new Set(['thumbs.db', 'desktop.ini', 'icon\r', '@eadir', '#recycle', '__macosx'])

/** Returns whether an import ignores the file or folder: hidden, incomplete, or created by a system. */
export const isPassedOver = (name: string): boolean =>
  /^(\.|~)/.test(name) || unfinished.test(name) || byTheWay.has(name.toLowerCase())

const maxShownLength = 300

export const shownPath = (segments: readonly string[]): string =>
  segments
    .map((segment) => safeOriginalName(segment, ''))
    .join('/')
    .slice(-maxShownLength)
    .toWellFormed()

export const digestOf = (source: string, path: Buffer | string): string =>
  createHash('sha256').update(`${source}\n`).update(path).digest('hex')

const naturally = new Intl.Collator('en', { numeric: true })

export const inOrderOfNames = (a: { path: string }, b: { path: string }): number => naturally.compare(a.path, b.path)

/** Yields `a.jpg`, `a_1.jpg`, `a_2.jpg` … */
export function* freeNames(name: string): Generator<string> {
  yield name
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,10})?$/s.exec(name) ?? []
  for (let number = 1; ; number++) yield `${stem}_${number}${extension}`
}
