import { batch, computed, type Signal, signal } from '@preact/signals'
import type { NamedGuestReply } from '../../../contract/gallery/guests.ts'
import { retryUntilDone, UploadFailed } from '../../shared/uploads/retry.ts'
import type { UploadProblem } from '../../shared/uploads/retry-decision.ts'
import { createBatch, type UploadBatch } from '../../shared/uploads/upload-batches.ts'
import { computeTotals, createWorkers } from '../../shared/uploads/upload-entries.ts'
import { UploadScheduler } from '../../shared/uploads/upload-scheduler.ts'
import { Speedometer, secondsLeft } from '../../shared/uploads/upload-speed.ts'
import { refreshList } from '../grid/refresh-list.ts'
import { guestName } from '../marks/guest-name.ts'
import { ApiError, call, Unreachable } from '../state/api.ts'
import { page } from '../state/page.ts'
import { sendGuestFile } from './send-guest-file.ts'
import { createEntries, createReport, type UploadEntry } from './upload-entries.ts'

/** The maximum number of concurrent files, and of concurrent requests. More would delay the pictures of the page. */
const maxConcurrent = 3

const scheduler = new UploadScheduler(maxConcurrent)
const retryOptions = { scheduler, toUploadProblem, onTrouble: updateTrouble }
const speedometer = new Speedometer()
const files = new Map<number, { file: File; batch: UploadBatch }>()
const cancelControllers = new Map<number, AbortController>()
let movedBytes = 0

export const entries = signal<ReadonlyArray<Signal<UploadEntry>>>([])
export const repeated = signal(0)
export const isPaused = signal(false)
export const trouble = signal<'line' | 'service' | null>(null)
const speed = signal<number | null>(null)

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
  scheduler.pause()
}

export function resumeUpload(): void {
  speedometer.restart()
  isPaused.value = false
  scheduler.resume()
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
  const nameOptions = { ...retryOptions, cancelled: new AbortController().signal }
  const response = await retryUntilDone(nameOptions, () =>
    call<typeof NamedGuestReply>('/guest', { body: { name } }),
  ).catch(() => null)
  if (response) guestName.value = response.guest.name
}

addEventListener('online', () => scheduler.endWaits())

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
      ...retryOptions,
      cancelled: cancelling.signal,
      onProgress: (sentBytes) => {
        movedBytes += Math.max(0, sentBytes - entry.peek().sentBytes)
        speedometer.addSample(movedBytes, performance.now())
        speed.value = speedometer.bytesPerSecond(performance.now())
        change({ sentBytes, state: sentBytes === file.size ? 'finishing' : 'sending' })
      },
    })
    files.delete(id)
    change({ state: 'added', sentBytes: file.size, isHidden: photo.visibility === 'hidden' })
  } catch (error) {
    if (cancelling.signal.aborted) return
    if (!(error instanceof UploadFailed)) {
      // An unexpected error must not stop the other files.
      reportError(error)
      return change({ state: 'failed', reason: 'other', sentBytes: 0 })
    }
    const { decision } = error
    change({ state: decision.kind, reason: decision.reason, sentBytes: 0 })
    if (decision.kind === 'failed' && decision.endsAll) failWaiting(decision.reason)
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

function updateTrouble(now: 'line' | 'service' | null): void {
  // After `scheduler.hold`, an earlier request may still succeed. Its success does not end the trouble.
  if (now === null && scheduler.isHeld) return
  if (now !== null && trouble.peek() === null) speedometer.restart()
  trouble.value = now
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
