import { sendFile, type UploadSession } from '../../shared/uploads/send-file.ts'
import { adminUploadAdapter } from './desk-door.ts'
import { findNewContents } from './find-new-contents.ts'
import { hashFile } from './hash-file.ts'
import { showWhatCame } from './show-what-came.ts'
import type { UploadEntry } from './upload-entries.ts'
import { end, giveUp, insideOf, keep, next, speedometer, toSend, way } from './upload-queues.ts'
import { noteUploads } from './upload-state.ts'

/** More than requests, so that uploads continue while the server processes completed files. */
const filesAtOnce = 6

let movedBytes = 0
let senders = 0

export function work(): void {
  findNewContents(sendAll)
  sendAll()
}

function sendAll(): void {
  while (senders < filesAtOnce && toSend.length > 0) {
    senders++
    void sendNext().finally(() => {
      senders--
    })
  }
}

async function sendNext(): Promise<void> {
  for (let entry = next(toSend); entry; entry = next(toSend)) await bring(entry)
}

async function bring(entry: UploadEntry): Promise<void> {
  const inside = insideOf(entry)
  const { file, session, cancelling } = inside
  const { eventId, category } = entry
  const hash = async () => {
    inside.hash ??= await hashFile(file)
    return inside.hash
  }
  const onSession = (kept: UploadSession | null) => {
    inside.session = kept
    if (kept && entry.state !== 'cancelled') keep([entry])
  }
  const onProgress = (sentBytes: number) => {
    if (entry.state === 'cancelled') return
    movedBytes += Math.max(0, sentBytes - entry.sentBytes)
    speedometer.note(movedBytes, performance.now())
    Object.assign(entry, { sentBytes, state: sentBytes === file.size ? 'finishing' : 'sending' })
    noteUploads({ bytesPerSecond: speedometer.bytesPerSecond(performance.now()) })
  }
  entry.state = 'sending'
  noteUploads()
  try {
    const door = adminUploadAdapter({ eventId, file, hash, category, session, onSession })
    await sendFile(file, door, { ...way, cancelled: cancelling.signal, onProgress })
    end(entry, 'added')
    showWhatCame(eventId)
  } catch (error) {
    giveUp(entry, error)
  }
}
