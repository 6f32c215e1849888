import { createStore, get, promisifyRequest, values } from 'idb-keyval'
import { keyOf, type WaitingMark } from './waiting-mark.ts'

/** All functions throw when the browser cannot store. */
export type MarkStore = {
  all: () => Promise<WaitingMark[]>
  find: (key: string) => Promise<WaitingMark | undefined>
  /** Replaces a mark with the same key. */
  put: (mark: WaitingMark) => Promise<void>
  /** Does nothing if another mark has replaced it. */
  remove: (mark: WaitingMark) => Promise<void>
}

/** A store that survives a restart of the device. All pages and the worker share it. */
export function storeOfBrowser(): MarkStore {
  // If the format of marks changes, the name must change: pages and workers of two versions run at the same time.
  const store = createStore('proofroom-marks-1', 'marks')
  return {
    all: async () => values<WaitingMark>(store),
    find: async (key) => get<WaitingMark>(key, store),
    put: async (mark) =>
      store('readwrite', (marks) => {
        marks.put(mark, keyOf(mark))
        // Commit now, so that the mark is stored even if the page closes immediately.
        marks.transaction.commit()
        return promisifyRequest(marks.transaction)
      }),
    remove: async (mark) =>
      store('readwrite', (marks) => {
        const found = marks.get(keyOf(mark))
        found.onsuccess = () => {
          if ((found.result as WaitingMark | undefined)?.id === mark.id) marks.delete(keyOf(mark))
        }
        return promisifyRequest(marks.transaction)
      }),
  }
}

/** A store in memory, for windows that cannot store. */
export function storeOfPage(marks: Iterable<WaitingMark> = []): MarkStore {
  const kept = new Map(Array.from(marks, (mark) => [keyOf(mark), mark]))
  return {
    all: async () => [...kept.values()],
    find: async (key) => kept.get(key),
    put: async (mark) => void kept.set(keyOf(mark), mark),
    remove: async (mark) => {
      if (kept.get(keyOf(mark))?.id === mark.id) kept.delete(keyOf(mark))
    },
  }
}
