import { maxCommentLength } from '../../../contract/text-lengths.ts'

const warningThreshold = 100

/** Counts code points of the trimmed text. The result is negative when the text is too long. */
export const charactersLeft = (text: string): number => maxCommentLength - [...text.trim()].length

export const isSendable = (text: string): boolean => text.trim() !== '' && charactersLeft(text) >= 0

export const isNearLimit = (text: string): boolean => charactersLeft(text) <= warningThreshold
