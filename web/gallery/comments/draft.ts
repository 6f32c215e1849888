import { createIdempotencyKey } from '../state/idempotency-key.ts'
import { page } from '../state/page.ts'
import { storeDraft, storedDraft } from '../state/stored-draft.ts'

const textStorageKey = (photoId: number) => `comment ${page.slug} ${photoId}`
const sentStorageKey = (photoId: number) => `comment sent ${page.slug} ${photoId}`

/** Returns the text that is not sent yet. It survives closing the comments and a reload. */
export const loadDraft = (photoId: number): string => storedDraft(textStorageKey(photoId)) ?? ''

export const saveDraft = (photoId: number, text: string): void => storeDraft(textStorageKey(photoId), text || null)

/** The key stays the same until the text is sent, so that a retry adds no second comment. */
export function getDraftKey(photoId: number, text: string): string {
  const sent: { text: string; key: string } | null = JSON.parse(storedDraft(sentStorageKey(photoId)) ?? 'null')
  if (sent?.text === text) return sent.key
  const key = createIdempotencyKey()
  storeDraft(sentStorageKey(photoId), JSON.stringify({ text, key }))
  return key
}

export function deleteDraft(photoId: number): void {
  storeDraft(textStorageKey(photoId), null)
  storeDraft(sentStorageKey(photoId), null)
}
