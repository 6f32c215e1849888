import { maxCommentLength } from '../../../contract/text-lengths.ts'

const warningThreshold = 100

/** Returns how many code points may be added to the trimmed text; negative when the text is too long. */
export const charactersLeft = (text: string): number => maxCommentLength - [...text.trim()].length

export const isSendable = (text: string): boolean => text.trim() !== '' && charactersLeft(text) >= 0

export const isNearLimit = (text: string): boolean => charactersLeft(text) <= warningThreshold
