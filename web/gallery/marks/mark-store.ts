import { createStore, get, promisifyRequest, values } from 'idb-keyval'
import { getMarkKey, type WaitingMark } from './waiting-mark.ts'

/** The promises of the browser store reject when storage is unavailable. */
export type MarkStore = {
  all: () => Promise<WaitingMark[]>
  find: (key: string) => Promise<WaitingMark | undefined>
  /** Replaces a stored mark with the same key. */
  put: (mark: WaitingMark) => Promise<void>
  /** Does nothing if a newer mark has replaced this one. */
  remove: (mark: WaitingMark) => Promise<void>
}

/**
 * Stores marks in IndexedDB, which all pages and the worker share. `set-aside`: those that are not sent, because the picks
 * of their guest are locked. They have a database of their own, so that an earlier release does not send them.
 */
export function createBrowserStore(which: 'marks' | 'set-aside' = 'marks'): MarkStore {
  // Change this name when the format of marks changes: pages and workers of two releases run at the same time.
  const store = createStore(`proofroom-${which}-1`, 'marks')
  return {
    all: async () => values<WaitingMark>(store),
    find: async (key) => get<WaitingMark>(key, store),
    put: async (mark) =>
      store('readwrite', (marks) => {
        marks.put(mark, getMarkKey(mark))
        // Commit now, so that the mark is stored even if the page closes immediately.
        marks.transaction.commit()
        return promisifyRequest(marks.transaction)
      }),
    remove: async (mark) =>
      store('readwrite', (marks) => {
        const found = marks.get(getMarkKey(mark))
        found.onsuccess = () => {
          if ((found.result as WaitingMark | undefined)?.id === mark.id) marks.delete(getMarkKey(mark))
        }
        return promisifyRequest(marks.transaction)
      }),
  }
}

/** Stores marks in memory, for windows in which the browser store fails. */
export function createMemoryStore(marks: Iterable<WaitingMark> = []): MarkStore {
  const stored = new Map(Array.from(marks, (mark) => [getMarkKey(mark), mark]))
  return {
    all: async () => [...stored.values()],
    find: async (key) => stored.get(key),
    put: async (mark) => void stored.set(getMarkKey(mark), mark),
    remove: async (mark) => {
      if (stored.get(getMarkKey(mark))?.id === mark.id) stored.delete(getMarkKey(mark))
    },
  }
}
