import { createHash } from 'node:crypto'
import { sanitizeOriginalName } from '../../photos/photo-files.ts'

const incompleteName = /\.(part|partial|filepart|crdownload|opdownload|download|tmp|temp|bts|!ut|!sync)$/i
const systemNames = new Set(['thumbs.db', 'desktop.ini', 'icon\r', '@eadir', '#recycle', '__macosx'])

/** Imports ignore a file or folder whose name is that of a hidden, incomplete or system file. */
export const isIgnored = (name: string): boolean =>
  /^(\.|~)/.test(name) || incompleteName.test(name) || systemNames.has(name.toLowerCase())

const maxShownLength = 300

export const toDisplayPath = (segments: readonly string[]): string =>
  segments
    .map((segment) => sanitizeOriginalName(segment, ''))
    .join('/')
    .slice(-maxShownLength)
    .toWellFormed()

export const hashPath = (source: string, path: Buffer | string): string =>
  createHash('sha256').update(`${source}\n`).update(path).digest('hex')

/** Yields `a.jpg`, `a_1.jpg`, `a_2.jpg` … */
export function* candidateNames(name: string): Generator<string> {
  yield name
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,10})?$/s.exec(name) ?? []
  for (let number = 1; ; number++) yield `${stem}_${number}${extension}`
}
