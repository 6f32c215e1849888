import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { type Proofroom, ProofroomError } from '../../clients/typescript/source/index.ts'
import { fail } from './command-errors.ts'
import { createProgressBar } from './progress-bar.ts'
import { assertPassword, listPictures, printShared, type RejectedPicture, type ShareOptions } from './share-folder.ts'

/** Creates an event of a running service from a folder, by its API, and prints the share link. */
export async function shareThroughService(service: Proofroom, folder: string, options: ShareOptions): Promise<void> {
  const { pictures, others } = await listPictures(folder)
  if (pictures.length === 0) return fail(`${folder} is not a folder with photos.`)
  assertPassword(options.password)
  try {
    const body = {
      event_type: options.type,
      event_name: options.name,
      require_password: options.password !== undefined,
      ...(options.password !== undefined && { password: options.password }),
    }
    const event = await service.events.create(body, { retries: 0 })
    const rejected = await uploadAll(service, event.id, pictures, options)
    printShared(pictures.length, rejected, others)
    console.log(event.share_url)
  } catch (error) {
    if (!(error instanceof ProofroomError)) throw error
    fail(error.message)
  }
}

/** Enough for a restart of the service: about 15 seconds. */
const retries = 5

async function uploadAll(service: Proofroom, eventId: number, paths: string[], options: ShareOptions) {
  const rejected: RejectedPicture[] = []
  const bar = createProgressBar('', options)
  for (const [index, path] of paths.entries()) {
    const name = basename(path)
    bar.show(index, paths.length, name)
    const file = await openAsBlob(path, { type: 'image/jpeg' })
    await service.photos.upload(eventId, file, { name, retries }).catch((error) => {
      const isAboutFile = error instanceof ProofroomError && [400, 413, 415, 422].includes(error.status)
      if (!isAboutFile) throw error
      rejected.push({ name, reason: error.message })
    })
    bar.show(index + 1, paths.length, name)
  }
  bar.end()
  return rejected
}
