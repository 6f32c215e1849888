import { createRandomId } from '../../shared/create-random-id.ts'
import { storeDraft, storedDraft } from '../state/stored-draft.ts'

export type Draft = ReturnType<typeof createDraft>

/** A text that is not sent yet. */
export function createDraft(textStorageKey: string, sentStorageKey: string) {
  return {
    /** Returns an empty string if there is none. */
    load: (): string => storedDraft(textStorageKey) ?? '',
    save: (text: string): void => storeDraft(textStorageKey, text || null),
    remove(): void {
      storeDraft(textStorageKey, null)
      storeDraft(sentStorageKey, null)
    },
    /** Returns the same key until the text changes or is sent, so that a retry does not send it twice. */
    getKey(text: string): string {
      const sent: { text: string; key: string } | null = JSON.parse(storedDraft(sentStorageKey) ?? 'null')
      if (sent?.text === text) return sent.key
      const key = createRandomId()
      storeDraft(sentStorageKey, JSON.stringify({ text, key }))
      return key
    },
  }
}
