import { storeDraft, storedDraft } from '../state/kept-text.ts'
import { onceKey } from '../state/once-key.ts'
import { page } from '../state/page.ts'

const textAt = (photoId: number) => `comment ${page.slug} ${photoId}`
const sentAt = (photoId: number) => `comment sent ${page.slug} ${photoId}`

/** Returns the text that is not sent yet. It survives closing the comments and a reload. */
export const draftOf = (photoId: number): string => storedDraft(textAt(photoId)) ?? ''

export const keepDraft = (photoId: number, text: string): void => storeDraft(textAt(photoId), text || null)

/** The key stays the same until the text is sent, so that a retry adds no second comment. */
export function keyOfDraft(photoId: number, text: string): string {
  const sent: { text: string; key: string } | null = JSON.parse(storedDraft(sentAt(photoId)) ?? 'null')
  if (sent?.text === text) return sent.key
  const key = onceKey()
  storeDraft(sentAt(photoId), JSON.stringify({ text, key }))
  return key
}

export function forgetDraft(photoId: number): void {
  storeDraft(textAt(photoId), null)
  storeDraft(sentAt(photoId), null)
}
