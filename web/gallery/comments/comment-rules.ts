import { maxCommentLength } from '../../../contract/text-lengths.ts'

/** From so few characters left on, their number is told. */
const tellAt = 100

/** Blanks around it do not count; characters count as people see them written, not as computers store them. */
export const charactersLeft = (text: string): number => maxCommentLength - [...text.trim()].length

export const isSendable = (text: string): boolean => text.trim() !== '' && charactersLeft(text) >= 0

export const isNearEnd = (text: string): boolean => charactersLeft(text) <= tellAt
