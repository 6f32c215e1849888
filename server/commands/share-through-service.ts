import { openAsBlob } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { type Proofroom, ProofroomError, type SidecarMarks } from '../../clients/typescript/source/index.ts'
import { convertedFileTypes } from '../../contract/files/file-types.ts'
import { pairSidecars } from '../../contract/files/pair-sidecars.ts'
import { UnsafeFile, withRegularFile } from '../platform/storage/untrusted-files.ts'
import { t } from '../platform/text/command-messages.ts'
import { readXmpMarks } from '../platform/xmp/read-xmp.ts'
import type { Comparable } from '../receiving/match-photo-names.ts'
import { fail } from './command-errors.ts'
import { assertCanVersion } from './decide-same-names.ts'
import { print } from './print.ts'
import { createProgressBar } from './progress-bar.ts'
import {
  assertPassword,
  comparePictures,
  createShared,
  failWithoutPictures,
  findUnused,
  hashPicture,
  listPictures,
  type Pictures,
  printShared,
  readSidecar,
  type Shared,
  type ShareOptions,
} from './share-folder.ts'
import { readBounded } from './sync/read-bounded.ts'
import type { FolderFile } from './walk-folder.ts'

/** Does the same as `shareFolder` by the API of a running service. */
export async function shareThroughService(service: Proofroom, folder: string, options: ShareOptions): Promise<void> {
  const listed = await listPictures(folder, convertedFileTypes)
  const { pictures, others, tooDeep } = listed
  if (pictures.length === 0) return failWithoutPictures(folder, listed)
  assertPassword(options.password)
  try {
    const event = await findOrCreateEvent(service, options)
    if (!event) return
    const sidecars = pairSidecars([...pictures, ...others])
    const shared = await uploadAll(service, event, { pictures, sidecars }, options)
    printShared(shared, findUnused([...others, ...shared.notAllowed], sidecars), tooDeep)
    print(event.share_url)
  } catch (error) {
    if (!(error instanceof ProofroomError)) throw error
    fail(error.message)
  }
}

/** Returns undefined after a message for the operator. */
async function findOrCreateEvent(service: Proofroom, options: ShareOptions) {
  const { name, event: slug, type, password } = options
  if (slug === undefined) {
    const body = {
      event_type: type,
      event_name: name ?? '',
      require_password: password !== undefined,
      ...(password !== undefined && { password }),
    }
    return service.events.create(body, { retries: 0 })
  }
  const bounds = { key: 'events', tooMany: 'tooManyEvents', isStopped: () => false } as const
  for await (const event of readBounded(service.events.list({ search: slug }), bounds)) {
    if (event.slug !== slug) continue
    if (event.is_archived) return fail(t('eventArchived', { slug }))
    const found = await service.events.get(event.id)
    assertCanVersion(found, options)
    return found
  }
  return fail(t('noEventWithSlug', { slug }))
}

/** Enough for a restart of the service: about 15 seconds. */
const retries = 5

async function uploadAll(
  service: Proofroom,
  { id: eventId, keep_versions: keepsVersions = false }: { id: number; keep_versions?: boolean },
  { pictures, sidecars }: Pictures,
  options: ShareOptions,
): Promise<Shared & { notAllowed: FolderFile[] }> {
  const shared = { ...createShared(pictures), notAllowed: [] as FolderFile[] }
  const refusedTypes = new Set<string>()
  // The API lists earlier files only if they are versions, and only those of one photo.
  const photos = options.event === undefined ? [] : await listPhotos(service, eventId)
  const decided = await comparePictures(pictures, { photos, earlier: [] }, shared, { ...options, keepsVersions })
  const bar = createProgressBar(null, options)
  for (const [index, picture] of pictures.entries()) {
    const name = basename(picture.path)
    bar.show(index, pictures.length, name)
    const replaces = decided.get(picture)
    if (replaces === 'left') continue
    const type = extname(name).slice(1).toLowerCase()
    const leaveOut = () => {
      shared.count--
      shared.notAllowed.push(picture)
    }
    if (refusedTypes.has(type)) {
      leaveOut()
      continue
    }
    const sidecar = parseSidecar(await readSidecar(sidecars.get(picture), shared))
    const upload = async (opened: FileHandle, path: string) => {
      const file = await openAsBlob(path, { type: 'image/jpeg' })
      // Blobs of Node.js count their bytes modulo 4 GiB.
      if (file.size !== (await opened.stat()).size) throw new UnsafeFile(t('fileTooLarge'))
      if (replaces === undefined) {
        await service.photos.upload(eventId, file, { name, retries, ...(sidecar && { sidecar }) })
      } else if (keepsVersions) {
        const [{ versions }, hash] = [await service.photos.versions(eventId, replaces), await hashPicture(picture)]
        const isEarlier = versions.some((one) => one.deleted_at === null && one.content_hash === hash)
        if (isEarlier) return void shared.earlier++
        await service.photos.addVersion(eventId, replaces, file, { name, retries })
        shared.versions++
      } else {
        await service.photos.replace(eventId, replaces, file, { name, retries })
        shared.replaced++
      }
    }
    await withRegularFile(picture, upload).catch((error) => {
      const isAboutFile = error instanceof ProofroomError && [400, 413, 415, 422].includes(error.status)
      if (!isAboutFile && !(error instanceof UnsafeFile)) throw error
      // Cameras store RAW files beside JPEG files, and this command cannot read the settings.
      if (isConverted(type) && error instanceof ProofroomError && error.code === 'FILE_TYPE_NOT_ALLOWED') {
        refusedTypes.add(type)
        return leaveOut()
      }
      shared.rejected.push({ name, reason: error.message })
    })
    bar.show(index + 1, pictures.length, name)
  }
  bar.end()
  return shared
}

const isConverted = (type: string): boolean => (convertedFileTypes as readonly string[]).includes(type)

async function listPhotos(service: Proofroom, eventId: number): Promise<Comparable['photos']> {
  const photos: Array<Comparable['photos'][number]> = []
  const bounds = { key: 'photos', tooMany: 'tooManyPhotos', isStopped: () => false } as const
  for await (const photo of readBounded(service.photos.list(eventId), bounds)) {
    photos.push({ ...photo, captured_at: photo.captured_at === null ? null : Date.parse(photo.captured_at) })
  }
  return photos
}

/** The service uses them if its settings say so. Returns null without marks. */
function parseSidecar(bytes: Buffer | null): SidecarMarks | null {
  const marks = bytes && readXmpMarks(bytes)
  if (marks === null) return null
  const { rating, label, labelColor, synced } = marks
  const isRating = rating !== null && rating >= -1 && rating <= 5
  return { rating: isRating ? rating : null, label, label_color: labelColor, synced }
}
