import { createStore, get, promisifyRequest, values } from 'idb-keyval'
import { getMarkKey, type WaitingMark } from './waiting-mark.ts'

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
export function createBrowserStore(): MarkStore {
  // If the format of marks changes, the name must change: pages and workers of two versions run at the same time.
  const store = createStore('proofroom-marks-1', 'marks')
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

/** A store in memory, for windows that cannot store. */
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
