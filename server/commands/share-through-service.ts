import { openAsBlob } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Proofroom, ProofroomError, type SidecarMarks } from '../../clients/typescript/source/index.ts'
import { readXmpMarks } from '../platform/xmp/read-xmp.ts'
import { maxXmpBytes } from '../platform/xmp/xmp-encoding.ts'
import { fail } from './command-errors.ts'
import { createProgressBar } from './progress-bar.ts'
import {
  assertPassword,
  findSidecars,
  listPictures,
  type Pictures,
  printShared,
  type RejectedPicture,
  type ShareOptions,
} from './share-folder.ts'

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
    const sidecars = findSidecars([...pictures, ...others])
    const rejected = await uploadAll(service, event.id, { pictures, sidecars }, options)
    const used = new Set(sidecars.values())
    printShared(
      pictures.length,
      rejected,
      others.filter((path) => !used.has(path)),
    )
    console.log(event.share_url)
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
  { pictures: paths, sidecars }: Pictures,
  options: ShareOptions,
) {
  const rejected: RejectedPicture[] = []
  const bar = createProgressBar('', options)
  for (const [index, path] of paths.entries()) {
    const name = basename(path)
    bar.show(index, paths.length, name)
    const file = await openAsBlob(path, { type: 'image/jpeg' })
    const sidecar = await readSidecar(sidecars.get(path))
    await service.photos.upload(eventId, file, { name, retries, ...(sidecar && { sidecar }) }).catch((error) => {
      const isAboutFile = error instanceof ProofroomError && [400, 413, 415, 422].includes(error.status)
      if (!isAboutFile) throw error
      rejected.push({ name, reason: error.message })
    })
    bar.show(index + 1, paths.length, name)
  }
  bar.end()
  return rejected
}

/** The service uses them if its settings say so. Returns null without marks. */
async function readSidecar(path: string | undefined): Promise<SidecarMarks | null> {
  const found = path === undefined ? null : await stat(path).catch(() => null)
  if (path === undefined || found === null || found.size > maxXmpBytes) return null
  const marks = readXmpMarks(await readFile(path))
  if (marks === null) return null
  const { rating, label, labelColor, synced } = marks
  const isRating = rating !== null && rating >= -1 && rating <= 5
  return { rating: isRating ? rating : null, label, label_color: labelColor, synced }
}
