import { maxCommentLength } from '../../../contract/text-lengths.ts'

const warningThreshold = 100

/** Returns how many code points may be added to the trimmed text; negative when the text is too long. */
export const charactersLeft = (text: string, maxLength = maxCommentLength): number =>
  maxLength - [...text.trim()].length

export const isSendable = (text: string, maxLength = maxCommentLength): boolean =>
  text.trim() !== '' && charactersLeft(text, maxLength) >= 0

export const isNearLimit = (text: string, maxLength = maxCommentLength): boolean =>
  charactersLeft(text, maxLength) <= warningThreshold

type UnsentTexts = { comment: string; note: string; chosen: string | null }

/** Returns whether the dialog opens with the unsent note. `chosen` is the kind that the guest has chosen last. */
export const isNoteContinued = ({ comment, note, chosen }: UnsentTexts): boolean =>
  note !== '' && (comment === '' || chosen === 'note')
