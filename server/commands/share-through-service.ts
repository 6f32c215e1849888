import { openAsBlob } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Proofroom, ProofroomError, type SidecarMarks } from '../../clients/typescript/source/index.ts'
import { pairSidecars } from '../../contract/pair-sidecars.ts'
import { UnsafeFile, withRegularFile } from '../platform/storage/untrusted-files.ts'
import { readXmpMarks } from '../platform/xmp/read-xmp.ts'
import { fail } from './command-errors.ts'
import { print } from './print.ts'
import { createProgressBar } from './progress-bar.ts'
import {
  assertPassword,
  failWithoutPictures,
  findUnused,
  listPictures,
  type Pictures,
  printShared,
  readSidecar,
  type Shared,
  type ShareOptions,
} from './share-folder.ts'

/** Creates an event of a running service from a folder, by its API, and prints the share link. */
export async function shareThroughService(service: Proofroom, folder: string, options: ShareOptions): Promise<void> {
  const { pictures, others, tooDeep } = await listPictures(folder)
  if (pictures.length === 0) return failWithoutPictures(folder, tooDeep)
  assertPassword(options.password)
  try {
    const body = {
      event_type: options.type,
      event_name: options.name,
      require_password: options.password !== undefined,
      ...(options.password !== undefined && { password: options.password }),
    }
    const event = await service.events.create(body, { retries: 0 })
    const sidecars = pairSidecars([...pictures, ...others])
    const shared = await uploadAll(service, event.id, { pictures, sidecars }, options)
    printShared(shared, findUnused(others, sidecars), tooDeep)
    print(event.share_url)
  } catch (error) {
    if (!(error instanceof ProofroomError)) throw error
    fail(error.message)
  }
}

/** Enough for a restart of the service: about 15 seconds. */
const retries = 5

async function uploadAll(
  service: Proofroom,
  eventId: number,
  { pictures, sidecars }: Pictures,
  options: ShareOptions,
): Promise<Shared> {
  const shared: Shared = { count: pictures.length, rejected: [], unread: [] }
  const bar = createProgressBar('', options)
  for (const [index, picture] of pictures.entries()) {
    const name = basename(picture.path)
    bar.show(index, pictures.length, name)
    const sidecar = parseSidecar(await readSidecar(sidecars.get(picture), shared))
    const upload = async (opened: FileHandle, path: string) => {
      const file = await openAsBlob(path, { type: 'image/jpeg' })
      // Blobs of Node.js count their bytes modulo 4 GiB.
      if (file.size !== (await opened.stat()).size) throw new UnsafeFile('The file is too large.')
      await service.photos.upload(eventId, file, { name, retries, ...(sidecar && { sidecar }) })
    }
    await withRegularFile(picture, upload).catch((error) => {
      const isAboutFile = error instanceof ProofroomError && [400, 413, 415, 422].includes(error.status)
      if (!isAboutFile && !(error instanceof UnsafeFile)) throw error
      shared.rejected.push({ name, reason: error.message })
    })
    bar.show(index + 1, pictures.length, name)
  }
  bar.end()
  return shared
}

/** The service uses them if its settings say so. Returns null without marks. */
function parseSidecar(bytes: Buffer | null): SidecarMarks | null {
  const marks = bytes && readXmpMarks(bytes)
  if (marks === null) return null
  const { rating, label, labelColor, synced } = marks
  const isRating = rating !== null && rating >= -1 && rating <= 5
  return { rating: isRating ? rating : null, label, label_color: labelColor, synced }
}
