import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Value } from 'typebox/value'
import { GalleryPassword } from '../../contract/events.ts'
import { convertedFileTypes, imageFileTypes, splitFileTypes, videoFileTypes } from '../../contract/files/file-types.ts'
import { pairSidecars } from '../../contract/files/pair-sidecars.ts'
import { comparePaths } from '../../contract/files/path-order.ts'
import { sharePath } from '../../contract/share-path.ts'
import { createEvent } from '../events/create-event.ts'
import { appDefaults } from '../events/event-requirements.ts'
import { type EventRow, findEventBySlug } from '../events/event-rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { findUserName } from '../platform/process/data-owner.ts'
import { ContentDigest } from '../platform/storage/content-digest.ts'
import { fileTooLarge } from '../platform/storage/received-file.ts'
import { readBounded, UnsafeFile, withRegularFile } from '../platform/storage/untrusted-files.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'
import { t } from '../platform/text/command-messages.ts'
import { maxXmpBytes } from '../platform/xmp/xmp-encoding.ts'
import { type Comparable, listComparable } from '../receiving/match-photo-names.ts'
import { readSidecarMarks } from '../receiving/read-sidecar-marks.ts'
import { receivePhoto } from '../receiving/receive-photo.ts'
import { replacePhoto } from '../receiving/replace-photo.ts'
import type { AppContext } from '../settings/app-context.ts'
import { maxBytesForFamily } from '../settings/file-type-rules.ts'
import { CommandRejected, exitCodes, fail } from './command-errors.ts'
import {
  assertCanVersion,
  compareFiles,
  findRepeated,
  printSameNames,
  readTimeOf,
  type SameNameCounts,
  type SameNameOptions,
} from './decide-same-names.ts'
import { findOwner } from './find-owner.ts'
import { print } from './print.ts'
import { createProgressBar } from './progress-bar.ts'
import { type FolderFile, walkFolder } from './walk-folder.ts'

export type ShareOptions = SameNameOptions & {
  /** The name of the event to create; undefined with `event`. */
  name?: string
  /** The slug of the event that gets the photos. */
  event?: string
  type: string
  password?: string
  logProgress?: boolean
}

export type FileReason = { name: string; reason: string }

export type Shared = SameNameCounts & {
  count: number
  alreadyPresent: number
  /** Pictures that were not shared. */
  rejected: FileReason[]
  /** Sidecars whose marks were not read. */
  unread: FileReason[]
}

/**
 * Creates an event from a folder, or adds the folder to an event, and prints the share link. Sets the exit code on a failure
 * or a rejected picture.
 */
export async function shareFolder(ctx: AppContext, folder: string, options: ShareOptions): Promise<void> {
  const settings = await ctx.settings.values()
  const allowed = new Set(splitFileTypes(settings.general_allowed_file_types))
  const listed = await listPictures(
    folder,
    convertedFileTypes.filter((type) => allowed.has(type)),
  )
  const { pictures, others, tooDeep } = listed
  if (pictures.length === 0) return failWithoutPictures(folder, listed)
  assertPassword(options.password)
  const event = await findOrCreateEvent(ctx, options)
  if (!event) return

  const sidecars = settings.general_read_culling_marks ? pairSidecars([...pictures, ...others]) : new Map()
  printShared(await uploadAll(ctx, event, { pictures, sidecars }, options), findUnused(others, sidecars), tooDeep)
  print(`${await ctx.settings.linkOrigin()}${sharePath(event)}`)
}

/** Returns undefined after a message for the operator. */
async function findOrCreateEvent(ctx: AppContext, options: ShareOptions) {
  const { name, event: slug, type, password } = options
  if (slug !== undefined) {
    const event = await findEventBySlug(ctx.db, slug)
    if (!event) return fail(t('noEventWithSlug', { slug }))
    if (event.is_archived === 1) return fail(t('eventArchived', { slug }))
    assertCanVersion(event, options)
    return event
  }
  const settings = await ctx.settings.values()
  return createEvent(ctx, await findOwner(ctx), {
    event_type: type,
    event_name: name ?? '',
    require_password: password !== undefined,
    ...appDefaults(settings),
    ...(password !== undefined && { password }),
  }).catch((error) => (error instanceof AppError ? fail(describeRejection(error)) : Promise.reject(error)))
}

/** Throws CommandRejected. */
export function assertPassword(password: string | undefined): void {
  if (password === undefined || Value.Check(GalleryPassword, password)) return
  throw new CommandRejected(t('galleryPasswordInvalid'))
}

const describeReasons = (reasons: FileReason[]): string[] => reasons.map(({ name, reason }) => `  ${name}: ${reason}`)

export const failWithoutPictures = (folder: string, { others, tooDeep }: Listed): undefined =>
  fail(t('noPhotosIn', { folder }), ...describeReasons(tooDeep), ...describeSkipped(others))

const isVideo = ({ path }: FolderFile): boolean =>
  (videoFileTypes as readonly string[]).includes(extname(path).slice(1).toLowerCase())

function describeSkipped(others: FolderFile[]): string[] {
  const { videos = [], rest = [] } = Object.groupBy(others, (file) => (isVideo(file) ? 'videos' : 'rest'))
  const names = (files: FolderFile[]) => files.map(({ path }) => basename(path)).join(', ')
  return [
    ...(rest.length > 0 ? [t('skippedTypes', { names: names(rest) })] : []),
    ...(videos.length > 0 ? [t('skippedVideos', { names: names(videos) })] : []),
  ]
}

/** Sets the exit code if a picture was rejected, a sidecar not read or a folder left out. */
export function printShared(
  { count, rejected, unread, ...counts }: Shared,
  others: FolderFile[],
  tooDeep: FileReason[],
): void {
  print(t('shared', { shared: count - rejected.length - counts.skipped - counts.earlier, count }))
  if (counts.alreadyPresent > 0) print(t('alreadyThere', { count: counts.alreadyPresent }))
  printSameNames(counts)
  for (const line of describeReasons([...rejected, ...tooDeep])) print(line)
  for (const { name, reason } of unread) print(`  ${name}: ${t('marksUnread', { problem: reason })}`)
  if (rejected.length + unread.length + tooDeep.length > 0) process.exitCode = exitCodes.failed
  print(...describeSkipped(others))
}

/** Returns the files that are not sidecars of pictures. */
export const findUnused = (others: FolderFile[], sidecars: ReadonlyMap<FolderFile, FolderFile>): FolderFile[] => {
  const used = new Set(sidecars.values())
  return others.filter((file) => !used.has(file))
}

export type Pictures = { pictures: FolderFile[]; sidecars: ReadonlyMap<FolderFile, FolderFile> }

async function uploadAll(
  ctx: AppContext,
  event: EventRow,
  { pictures, sidecars }: Pictures,
  options: ShareOptions,
): Promise<Shared> {
  const shared = createShared(pictures)
  const keepsVersions = event.keep_versions === 1
  const comparable = await listComparable(ctx, event.id)
  const decided = await comparePictures(pictures, comparable, shared, { ...options, keepsVersions })
  const bar = createProgressBar(null, options)
  for (const [index, picture] of pictures.entries()) {
    const name = basename(picture.path)
    bar.show(index, pictures.length, name)
    const replaces = decided.get(picture)
    if (replaces === 'left') continue
    const sidecar = await readSidecar(sidecars.get(picture), shared)
    await upload(ctx, event, picture, { sidecar, replaces }).then(
      () => void (replaces !== undefined && shared[keepsVersions ? 'versions' : 'replaced']++),
      (error) => {
        if (!(error instanceof AppError || error instanceof UnsafeFile)) throw error
        shared.rejected.push({ name, reason: error.message })
      },
    )
    bar.show(index + 1, pictures.length, name)
  }
  bar.end()
  return shared
}

export const createShared = (pictures: readonly FolderFile[]): Shared => ({
  count: pictures.length,
  alreadyPresent: 0,
  replaced: 0,
  versions: 0,
  skipped: 0,
  earlier: 0,
  otherTime: 0,
  several: 0,
  rejected: [],
  unread: [],
})

/** Returns the photos that pictures replace, and the pictures that are left out, which are recorded in `shared`. */
export async function comparePictures(
  pictures: readonly FolderFile[],
  comparable: Comparable,
  shared: Shared,
  options: SameNameOptions & { keepsVersions: boolean },
): Promise<Map<FolderFile, number | 'left'>> {
  const files = pictures.map((picture) => {
    const { path, sizeBytes } = picture
    const capturedAt = () =>
      withRegularFile(picture, (opened) => readTimeOf(opened.createReadStream({ start: 0, autoClose: false })))
    return { picture, path, sizeBytes, name: basename(path), hash: () => hashPicture(picture), capturedAt }
  })
  const decided = new Map<FolderFile, number | 'left'>()
  const repeated = await findRepeated(files)
  for (const { picture } of repeated) decided.set(picture, 'left')
  shared.alreadyPresent += repeated.size
  const others = files.filter((file) => !repeated.has(file))
  for (const [{ picture, name }, decision] of await compareFiles(others, comparable, options)) {
    if (decision === 'otherTime' || decision === 'several') shared[decision]++
    if (decision === 'add' || decision === 'otherTime' || decision === 'several') continue
    decided.set(picture, typeof decision === 'object' ? decision.replaces : 'left')
    if (decision === 'present') shared.alreadyPresent++
    if (decision === 'skip') shared.skipped++
    if (decision === 'earlier') shared.earlier++
    if (decision === 'undecided') shared.rejected.push({ name, reason: t('sameNameUndecided') })
  }
  return decided
}

export const hashPicture = (picture: FolderFile): Promise<string> =>
  withRegularFile(picture, async (file) => {
    const digest = new ContentDigest()
    // A file that has grown is not the one that was listed.
    const bytes = file.createReadStream({ start: 0, end: picture.sizeBytes, highWaterMark: 2 ** 20, autoClose: false })
    for await (const chunk of bytes) digest.update(chunk)
    return digest.finish().contentHash
  })

type Upload = { sidecar: Buffer | null; replaces: number | undefined }

const upload = (ctx: AppContext, event: EventRow, picture: FolderFile, { sidecar, replaces }: Upload): Promise<void> =>
  withRegularFile(picture, async (source) => {
    const { size } = await source.stat()
    const maxBytes = maxBytesForFamily('image', await ctx.settings.values())
    if (size > maxBytes) throw fileTooLarge(maxBytes)
    await ctx.storage.ensureSpaceFor(size)
    const bytes = source.createReadStream({ start: 0, end: maxBytes, highWaterMark: 2 ** 20, autoClose: false })
    const staged = await writeStaged(ctx.storage, bytes)
    try {
      const file = { ...staged, clientName: basename(picture.path) }
      const version = event.keep_versions === 1 ? { note: null } : undefined
      if (replaces !== undefined) return void (await replacePhoto(ctx, event, replaces, file, { version }))
      const open = async () => Readable.from([sidecar])
      const sidecarMarks = sidecar && (await readSidecarMarks(ctx, { sizeBytes: sidecar.length, open }))
      await receivePhoto(ctx, { event, file, uploadedBy: 'import', markedBy: event.created_by, sidecarMarks })
    } finally {
      await ctx.storage.discard(staged.path)
    }
  })

/** Returns null without a sidecar, and for one that cannot be read, which is recorded in `shared`. */
export async function readSidecar(sidecar: FolderFile | undefined, { unread }: Shared): Promise<Buffer | null> {
  if (sidecar === undefined) return null
  return readBounded(sidecar, maxXmpBytes).catch((error: Error) => {
    unread.push({ name: basename(sidecar.path), reason: error.message })
    return null
  })
}

type Listed = { pictures: FolderFile[]; others: FolderFile[]; tooDeep: FileReason[] }

/**
 * Returns the files sorted by name, and the folders that are nested too deeply. `converted`: the types that are pictures beside
 * those that browsers show. Throws CommandRejected if this user may not read the folder.
 */
export async function listPictures(folder: string, converted: readonly string[]): Promise<Listed> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') throw new CommandRejected(describeUnreadable(folder))
    return null
  })
  if (!found?.isDirectory()) return { pictures: [], others: [], tooDeep: [] }
  await access(folder, constants.R_OK | constants.X_OK).catch(() => {
    throw new CommandRejected(describeUnreadable(folder))
  })
  const extensions = new Set([...imageFileTypes, 'tif', ...converted].map((type) => `.${type}`))
  const isPicture = ({ path }: FolderFile) => extensions.has(extname(path).toLowerCase())
  const tooDeep: FileReason[] = []
  const { files } = await walkFolder(await realpath(folder), ({ path, cause }) => {
    if (cause === 'too deep') return void tooDeep.push({ name: path, reason: t('folderTooDeep') })
    throw new CommandRejected(describeUnreadable(join(folder, path)))
  })
  files.sort((a, b) => comparePaths(a.path, b.path))
  return {
    pictures: files.filter(isPicture),
    others: files.filter((file) => !isPicture(file)),
    tooDeep,
  }
}

const describeUnreadable = (folder: string): string =>
  t('folderDenied', { user: findUserName(process.getuid?.() ?? 0), folder })

function describeRejection({ message, extras }: AppError): string {
  const isFieldMissing = extras.details?.some(({ kind }) => kind === 'required')
  return isFieldMissing ? t('fieldRequired', { problem: message }) : message
}
