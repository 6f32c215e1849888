import type { ExportFormat, labelLanguages } from '../../../contract/exports.ts'
import { language } from '../desk/language.ts'

export type ExportWishes = {
  format: ExportFormat
  labels: (typeof labelLanguages)[number]
  naming: 'stem' | 'full'
  /** Of the raw files, without a dot. */
  raw: string
  /** What a photo gets that was picked and has no stars or colour: a number of stars, a colour, or nothing. */
  heart: string
}

const keptKey = 'proofroom-export'
const atFirst: ExportWishes = {
  format: 'xmp',
  labels: language === 'de' ? 'de' : 'en',
  naming: 'stem',
  raw: '',
  heart: 'green',
}

/** As this browser exported last: a photographer has one program. */
export function keptWishes(): ExportWishes {
  try {
    return { ...atFirst, ...JSON.parse(localStorage.getItem(keptKey) ?? '{}') }
  } catch {
    return atFirst
  }
}

export const keepWishes = (wishes: ExportWishes): void => localStorage.setItem(keptKey, JSON.stringify(wishes))
