import { sendFile, type UploadSession } from '../../shared/uploads/send-file.ts'
import { createWorkers } from '../../shared/uploads/upload-entries.ts'
import { findNewContents } from './find-new-contents.ts'
import { hashFile } from './hash-file.ts'
import { refreshEvent } from './refresh-event.ts'
import { adminUploadAdapter } from './upload-adapter.ts'
import type { UploadEntry } from './upload-entries.ts'
import { endEntry, engine, failEntry, getInternals, nextEntry, storeEntries, toSend } from './upload-queues.ts'
import { updateUploads } from './upload-state.ts'

/** More than `concurrentRequests` (upload-queues.ts), so that uploads continue while the server processes files. */
const concurrentFiles = 6

export function startWork(): void {
  findNewContents(sendAll)
  sendAll()
}

const sendAll = createWorkers(concurrentFiles, () => nextEntry(toSend), sendEntry)

async function sendEntry(entry: UploadEntry): Promise<void> {
  const internals = getInternals(entry)
  const { file, sidecar, session, batch, cancelling } = internals
  const { eventId, category, replaces, keepsVersions } = entry
  const hash = async () => {
    internals.hash ??= await hashFile(file)
    return internals.hash
  }
  const onSession = (newSession: UploadSession | null) => {
    internals.session = newSession
    if (newSession && entry.state !== 'cancelled') storeEntries([entry])
  }
  const onProgress = engine.trackProgress(file.size, (progress) => {
    if (entry.state !== 'cancelled') Object.assign(entry, progress)
  })
  entry.state = 'sending'
  updateUploads()
  try {
    const upload = { eventId, file, sidecar, hash, category, replaces, keepsVersions, session, batch, onSession }
    const adapter = adminUploadAdapter(upload)
    const photo = await sendFile(file, adapter, { ...engine.retryOptions, cancelled: cancelling.signal, onProgress })
    entry.filename = photo?.filename ?? null
    endEntry(entry, 'added')
    refreshEvent(eventId)
  } catch (error) {
    failEntry(entry, error)
  }
}
