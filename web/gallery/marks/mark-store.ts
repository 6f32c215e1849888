import { createStore, get, promisifyRequest, values } from 'idb-keyval'
import { keyOf, type WaitingMark } from './waiting-mark.ts'

/** Where marks wait. All of it throws where the browser cannot store. */
export type MarkStore = {
  all: () => Promise<WaitingMark[]>
  find: (key: string) => Promise<WaitingMark | undefined>
  /** In place of one of the same key. */
  put: (mark: WaitingMark) => Promise<void>
  /** Unless another has taken its place. */
  remove: (mark: WaitingMark) => Promise<void>
}

/** Of this browser: outlasts the page and the device's restart, and is shared by all pages and the worker. */
export function storeOfBrowser(): MarkStore {
  // Another shape of marks gets another name: pages and workers of two versions run side by side.
  const store = createStore('proofroom-marks-1', 'marks')
  return {
    all: async () => values<WaitingMark>(store),
    find: async (key) => get<WaitingMark>(key, store),
    put: async (mark) =>
      store('readwrite', (marks) => {
        marks.put(mark, keyOf(mark))
        // All said in one go: it is kept even if the page goes in the next moment.
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

/** Of this page: for windows that may not store, and lost with it. */
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
