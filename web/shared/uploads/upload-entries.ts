import { type ChosenFile, getFileKey, type UploadReason } from './upload-file-rules.ts'

/**
 * `checking`: the file is hashed, to compare its content with the photos of the event. `known`: the event already has
 * this content. `asked`: the event has a photo with this name, and the operator decides about the file. `ready`: all checks are done, the file waits for upload. `finishing`: all bytes are sent, the response
 * is pending. `added`: confirmed by the service. `leftOut`: the admin app did not send the file, for its type or size.
 * `rejected`: a retry cannot succeed. `failed`: a retry may succeed.
 */
export type UploadState =
  | 'waiting'
  | 'checking'
  | 'asked'
  | 'ready'
  | 'sending'
  | 'finishing'
  | 'added'
  | 'known'
  | 'leftOut'
  | 'rejected'
  | 'failed'
  | 'cancelled'

/** The state of one file in the gallery or in the admin app. */
export type UploadEntry<Reason extends string = UploadReason> = {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly size: number
  state: UploadState
  sentBytes: number
  reason: Reason | null
}

const activeStates: readonly UploadState[] = ['waiting', 'checking', 'asked', 'ready', 'sending', 'finishing']
export const isActive = ({ state }: Pick<UploadEntry, 'state'>): boolean => activeStates.includes(state)

/** Returns the files that are not in the list, and the repeated files. A canceled file can be added again. */
export function selectNewFiles<Item extends { file: ChosenFile }>(
  items: readonly Item[],
  list: ReadonlyArray<Pick<UploadEntry, 'key' | 'state'>>,
): { selected: Array<Item & { key: string }>; repeated: Item[] } {
  const known = new Set(list.filter(({ state }) => state !== 'cancelled').map(({ key }) => key))
  const selected: Array<Item & { key: string }> = []
  const repeated: Item[] = []
  for (const item of items) {
    const key = getFileKey(item.file)
    if (known.has(key)) repeated.push(item)
    else {
      known.add(key)
      selected.push({ ...item, key })
    }
  }
  return { selected, repeated }
}

export type UploadTotals = { files: number; done: number; bytes: number; sentBytes: number; isActive: boolean }

/**
 * Does not count files that are left out, rejected, failed or canceled. Files in the state `known` count as done, but
 * without bytes.
 */
export function computeTotals(entries: ReadonlyArray<UploadEntry<string>>): UploadTotals {
  const active = entries.filter(isActive)
  const added = entries.filter(({ state }) => state === 'added')
  const known = entries.filter(({ state }) => state === 'known')
  const addedBytes = sum(added.map(({ size }) => size))
  return {
    files: active.length + added.length + known.length,
    done: added.length + known.length,
    bytes: addedBytes + sum(active.map(({ size }) => size)),
    sentBytes: addedBytes + sum(active.map(({ sentBytes }) => sentBytes)),
    isActive: active.length > 0,
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

/** Groups the rejected, failed and left-out entries by `keyOf`, the largest group first. */
export function groupMissing<Entry extends UploadEntry<string>>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): Entry[][] {
  const missing = entries.filter(({ state }) => ['rejected', 'failed', 'leftOut'].includes(state))
  const groups = new Map<string, Entry[]>()
  for (const entry of missing) {
    const key = keyOf(entry)
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  return [...groups.values()].sort((a, b) => b.length - a.length)
}

/** The returned function runs `work` on the entries of `next`, `max` at a time. Call it when there are new entries. */
export function createWorkers<Entry>(
  max: number,
  next: () => Entry | undefined,
  work: (entry: Entry) => Promise<void>,
): () => void {
  let running = 0
  async function run(first: Entry): Promise<void> {
    for (let entry: Entry | undefined = first; entry; entry = next()) await work(entry)
  }
  return () => {
    for (let entry = running < max ? next() : undefined; entry; entry = running < max ? next() : undefined) {
      running++
      void run(entry).finally(() => {
        running--
      })
    }
  }
}
