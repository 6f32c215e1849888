/** What the page of the operators' app knows from the start. */
export type DeskData = {
  /** Of the instance, for browsers that ask for none of ours. */
  language: string
  studioName: string
  version: string
  /** For style that script sets up while the page lives. */
  nonce: string
  recaptchaSiteKey: string | null
}

/** The element that holds it as JSON. */
export const deskDataId = 'desk-data'
