import { sendFile, type UploadSession } from '../../shared/uploads/send-file.ts'
import { createWorkers } from '../../shared/uploads/upload-entries.ts'
import { findNewContents } from './find-new-contents.ts'
import { hashFile } from './hash-file.ts'
import { refreshEvent } from './refresh-event.ts'
import { adminUploadAdapter } from './upload-adapter.ts'
import type { UploadEntry } from './upload-entries.ts'
import {
  endEntry,
  failEntry,
  getInternals,
  nextEntry,
  persistence,
  speedometer,
  storeEntries,
  toSend,
} from './upload-queues.ts'
import { updateUploads } from './upload-state.ts'

/** More than `concurrentRequests` (upload-queues.ts), so that uploads continue while the server processes files. */
const concurrentFiles = 6

let movedBytes = 0

export function startWork(): void {
  findNewContents(sendAll)
  sendAll()
}

const sendAll = createWorkers(concurrentFiles, () => nextEntry(toSend), sendEntry)

async function sendEntry(entry: UploadEntry): Promise<void> {
  const internals = getInternals(entry)
  const { file, sidecar, session, batch, cancelling } = internals
  const { eventId, category, replaces } = entry
  const hash = async () => {
    internals.hash ??= await hashFile(file)
    return internals.hash
  }
  const onSession = (newSession: UploadSession | null) => {
    internals.session = newSession
    if (newSession && entry.state !== 'cancelled') storeEntries([entry])
  }
  const onProgress = (sentBytes: number) => {
    if (entry.state === 'cancelled') return
    movedBytes += Math.max(0, sentBytes - entry.sentBytes)
    speedometer.addSample(movedBytes, performance.now())
    Object.assign(entry, { sentBytes, state: sentBytes === file.size ? 'finishing' : 'sending' })
    updateUploads({ bytesPerSecond: speedometer.bytesPerSecond(performance.now()) })
  }
  entry.state = 'sending'
  updateUploads()
  try {
    const adapter = adminUploadAdapter({ eventId, file, sidecar, hash, category, replaces, session, batch, onSession })
    const photo = await sendFile(file, adapter, { ...persistence, cancelled: cancelling.signal, onProgress })
    entry.filename = photo?.filename ?? null
    endEntry(entry, 'added')
    refreshEvent(eventId)
  } catch (error) {
    failEntry(entry, error)
  }
}
