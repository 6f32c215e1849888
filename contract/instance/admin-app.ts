import type { ColorNames } from '../color-labels.ts'
import type { Language } from '../languages.ts'

export type AdminAppData = {
  /** The default language of the instance, for browsers whose languages are all unsupported. */
  language: Language
  studioName: string
  colorNames: ColorNames
  version: string
  /** For style elements that the script adds to the page. */
  nonce: string
  recaptchaSiteKey: string | null
}

export const adminAppDataId = 'admin-data'
