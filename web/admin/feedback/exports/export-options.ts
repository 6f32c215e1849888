import { type ExportFormat, labelLanguages } from '../../../../contract/exports.ts'
import { readStoredJson, writeStored } from '../../../shared/browser-storage.ts'
import { language } from '../../app/language.ts'

export type ExportOptions = {
  format: ExportFormat
  labels: (typeof labelLanguages)[number]
  naming: 'stem' | 'full'
  /** Extension of raw files, without a dot. */
  raw: string
  /** The rating (`1` to `5`) or the color label that sidecars get for photos without one; '' for neither. */
  heart: string
}

const storageKey = 'proofroom-export'
const defaultOptions: ExportOptions = {
  format: 'xmp',
  labels: labelLanguages.find((one) => one === language) ?? 'en',
  naming: 'stem',
  raw: '',
  // As in the examples of `proofroom sync`: every program reads stars, but not every name of a color.
  heart: '5',
}

export const storedOptions = (): ExportOptions => ({
  ...defaultOptions,
  ...readStoredJson<ExportOptions>('localStorage', storageKey),
})

export const storeOptions = (options: ExportOptions): void =>
  writeStored('localStorage', storageKey, JSON.stringify(options))
