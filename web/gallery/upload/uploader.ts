import { batch, computed, type Signal, signal } from '@preact/signals'
import type { NamedGuestReply } from '../../../contract/gallery/guests.ts'
import { ApiError, Unreachable } from '../../shared/api-error.ts'
import { retryUntilDone } from '../../shared/uploads/retry.ts'
import type { UploadProblem } from '../../shared/uploads/retry-decision.ts'
import { createBatch, type UploadBatch } from '../../shared/uploads/upload-batches.ts'
import { createUploadEngine, type Trouble, toUploadFailure } from '../../shared/uploads/upload-engine.ts'
import { computeTotals, createWorkers } from '../../shared/uploads/upload-entries.ts'
import { secondsLeft } from '../../shared/uploads/upload-speed.ts'
import { refreshList } from '../grid/refresh-list.ts'
import { guestName } from '../marks/guest-name.ts'
import { call } from '../state/api.ts'
import { page } from '../state/page.ts'
import { sendGuestFile } from './send-guest-file.ts'
import { createEntries, createReport, type UploadEntry } from './upload-entries.ts'

/** The maximum number of concurrent files, and of concurrent requests. More would delay the pictures of the page. */
const maxConcurrent = 3

const files = new Map<number, { file: File; batch: UploadBatch }>()
const cancelControllers = new Map<number, AbortController>()

export const entries = signal<ReadonlyArray<Signal<UploadEntry>>>([])
export const repeated = signal(0)
export const isPaused = signal(false)
export const trouble = signal<Trouble>(null)
const speed = signal<number | null>(null)

const engine = createUploadEngine({
  maxRequests: maxConcurrent,
  toUploadProblem,
  onTrouble: (now) => {
    trouble.value = now
  },
  onSpeed: (bytesPerSecond) => {
    speed.value = bytesPerSecond
  },
})

const all = computed(() => entries.value.map((entry) => entry.value))
export const totals = computed(() => computeTotals(all.value))
export const report = computed(() => createReport(all.value))
export const isInProgress = computed(() => totals.value.isActive)
export const pace = computed(() => ({
  bytesPerSecond: speed.value,
  secondsLeft: secondsLeft(totals.value.bytes - totals.value.sentBytes, speed.value),
}))

export function addFiles(chosen: readonly File[]): void {
  const { created, repeated: repeatedCount } = createEntries(chosen, all.peek(), page)
  const placeInBatch = createBatch()
  for (const [index, { entry, file }] of created.entries()) files.set(entry.id, { file, batch: placeInBatch(index) })
  batch(() => {
    repeated.value += repeatedCount
    entries.value = [...entries.peek(), ...created.map(({ entry }) => signal(entry))]
  })
  startWorkers()
}

export function pauseUpload(): void {
  isPaused.value = true
  engine.scheduler.pause()
}

export function resumeUpload(): void {
  isPaused.value = false
  engine.resume()
}

/** Rejected files are not retried. */
export function retryFailed(): void {
  for (const entry of entries.peek()) {
    if (entry.peek().state === 'failed') entry.value = { ...entry.peek(), state: 'waiting', reason: null, sentBytes: 0 }
  }
  startWorkers()
}

export function cancelEntry(entry: Signal<UploadEntry>): void {
  const { id, state } = entry.peek()
  if (!['waiting', 'sending'].includes(state)) return
  entry.value = { ...entry.peek(), state: 'cancelled' }
  cancelControllers.get(id)?.abort()
}

/** Errors are ignored, because the uploads then fail for the same reason. */
export async function sendName(name: string): Promise<void> {
  const nameOptions = { ...engine.retryOptions, cancelled: new AbortController().signal }
  const response = await retryUntilDone(nameOptions, () =>
    call<typeof NamedGuestReply>('/guest', { body: { name } }),
  ).catch(() => null)
  if (response) guestName.value = response.guest.name
}

const startWorkers = createWorkers(
  maxConcurrent,
  () => entries.peek().find((entry) => entry.peek().state === 'waiting'),
  async (entry) => {
    await uploadEntry(entry)
    if (!isInProgress.peek()) await showAddedPhotos()
  },
)

async function uploadEntry(entry: Signal<UploadEntry>): Promise<void> {
  const { id } = entry.peek()
  const chosen = files.get(id)
  if (!chosen) throw new Error('An entry without its file')
  const { file, batch } = chosen
  const change = (changes: Partial<UploadEntry>) => {
    if (entry.peek().state !== 'cancelled') entry.value = { ...entry.peek(), ...changes }
  }
  const cancelling = new AbortController()
  cancelControllers.set(id, cancelling)
  change({ state: 'sending' })
  try {
    const photo = await sendGuestFile(file, batch, {
      ...engine.retryOptions,
      cancelled: cancelling.signal,
      onProgress: engine.trackProgress(file.size, change),
    })
    files.delete(id)
    change({ state: 'added', sentBytes: file.size, isHidden: photo.visibility === 'hidden' })
  } catch (error) {
    if (cancelling.signal.aborted) return
    const { endsAll, ...failure } = toUploadFailure(error)
    change({ ...failure, sentBytes: 0 })
    if (endsAll) failWaiting(failure.reason)
  } finally {
    cancelControllers.delete(id)
  }
}

function failWaiting(reason: UploadEntry['reason']): void {
  for (const entry of entries.peek()) {
    if (entry.peek().state === 'waiting') entry.value = { ...entry.peek(), state: 'failed', reason }
  }
}

function toUploadProblem(error: unknown): UploadProblem {
  if (error instanceof ApiError) return error
  if (error instanceof Unreachable) return null
  throw error
}

let shownCount = 0

async function showAddedPhotos(): Promise<void> {
  const { added, hidden } = report.peek()
  const fresh = added - hidden - shownCount
  if (fresh <= 0) return
  shownCount += fresh
  // If the request fails, the new photos appear when the guest changes a filter or returns.
  await refreshList().catch(() => undefined)
}
