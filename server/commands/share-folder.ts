import { constants, createReadStream } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { Value } from 'typebox/value'
import { GalleryPassword } from '../../contract/events.ts'
import { pairSidecars } from '../../contract/pair-sidecars.ts'
import { imageFileTypes } from '../../contract/settings.ts'
import { createEvent } from '../events/create-event.ts'
import type { EventRow } from '../events/event-rows.ts'
import { AppError } from '../platform/app-error.ts'
import { findUserName } from '../platform/data-owner.ts'
import { sharePath } from '../platform/links.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'
import { readSidecarMarks } from '../receiving/read-sidecar-marks.ts'
import { receivePhoto } from '../receiving/receive-photo.ts'
import type { AppContext } from '../settings/app-context.ts'
import { CommandRejected, exitCodes, fail } from './command-errors.ts'
import { findOwner } from './find-owner.ts'
import { createProgressBar } from './progress-bar.ts'

export type ShareOptions = { name: string; type: string; password?: string; logProgress?: boolean }

export type RejectedPicture = { name: string; reason: string }

/** Creates an event from a folder and prints the share link. Sets the exit code on a failure or a rejected picture. */
export async function shareFolder(ctx: AppContext, folder: string, options: ShareOptions): Promise<void> {
  const { pictures, others } = await listPictures(folder)
  if (pictures.length === 0) return fail(`${folder} is not a folder with photos.`)
  assertPassword(options.password)
  const caller = await findOwner(ctx)
  const settings = await ctx.settings.values()
  const event = await createEvent(ctx, caller, {
    event_type: options.type,
    event_name: options.name,
    require_password: options.password !== undefined,
    default_photo_sort: settings.event_app_photo_sort,
    ask_guest_name: settings.event_app_ask_guest_name,
    allow_notes: settings.event_app_allow_notes,
    ...(options.password !== undefined && { password: options.password }),
  }).catch((error) => (error instanceof AppError ? fail(describeRejection(error)) : Promise.reject(error)))
  if (!event) return

  const sidecars = settings.general_read_culling_marks ? findSidecars([...pictures, ...others]) : new Map()
  const rejected = await uploadAll(ctx, event, { pictures, sidecars }, options)
  const used = new Set(sidecars.values())
  printShared(
    pictures.length,
    rejected,
    others.filter((path) => !used.has(path)),
  )
  console.log(`${await ctx.settings.linkOrigin()}${sharePath(event)}`)
}

/** Throws CommandRejected. */
export function assertPassword(password: string | undefined): void {
  if (password === undefined || Value.Check(GalleryPassword, password)) return
  throw new CommandRejected('The password must have 6 to 128 characters and must not consist of digits only.')
}

/** Sets the exit code if a picture was rejected. */
export function printShared(count: number, rejected: RejectedPicture[], others: string[]): void {
  console.log(`${count - rejected.length} of ${count} photos shared.`)
  for (const { name, reason } of rejected) console.log(`  ${name}: ${reason}`)
  if (rejected.length > 0) process.exitCode = exitCodes.failed
  if (others.length > 0) console.log(`Skipped files: ${others.map((path) => basename(path)).join(', ')}`)
}

/** Returns the paths of sidecars by those of pictures. */
export const findSidecars = (paths: readonly string[]): Map<string, string> =>
  new Map([...pairSidecars(paths.map((path) => ({ path })))].map(([file, sidecar]) => [file.path, sidecar.path]))

export type Pictures = { pictures: string[]; sidecars: ReadonlyMap<string, string> }

async function uploadAll(
  ctx: AppContext,
  event: EventRow,
  { pictures: paths, sidecars }: Pictures,
  options: ShareOptions,
) {
  const rejected: RejectedPicture[] = []
  const bar = createProgressBar('', options)
  for (const [index, path] of paths.entries()) {
    const name = basename(path)
    bar.show(index, paths.length, name)
    await upload(ctx, event, path, sidecars.get(path)).catch((error) => {
      if (!(error instanceof AppError)) throw error
      rejected.push({ name, reason: error.message })
    })
    bar.show(index + 1, paths.length, name)
  }
  bar.end()
  return rejected
}

async function upload(ctx: AppContext, event: EventRow, path: string, sidecar: string | undefined): Promise<void> {
  const staged = await writeStaged(ctx.storage, createReadStream(path, { highWaterMark: 2 ** 20 }))
  try {
    const sidecarMarks = sidecar === undefined ? null : await readSidecar(ctx, sidecar)
    const file = { ...staged, clientName: basename(path) }
    await receivePhoto(ctx, { event, file, uploadedBy: 'import', markedBy: event.created_by, sidecarMarks })
  } finally {
    await ctx.storage.discard(staged.path)
  }
}

async function readSidecar(ctx: AppContext, path: string) {
  const found = await stat(path).catch(() => null)
  return found && readSidecarMarks(ctx, { sizeBytes: found.size, open: async () => createReadStream(path) })
}

/** Returns paths. Throws CommandRejected if this user may not read the folder. */
export async function listPictures(folder: string): Promise<{ pictures: string[]; others: string[] }> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') throw new CommandRejected(describeUnreadable(folder))
    return null
  })
  if (!found?.isDirectory()) return { pictures: [], others: [] }
  await access(folder, constants.R_OK | constants.X_OK).catch(() => {
    throw new CommandRejected(describeUnreadable(folder))
  })
  const extensions = new Set(imageFileTypes.map((type) => `.${type}`))
  const isPicture = (path: string) => extensions.has(extname(path).toLowerCase())
  const byName = new Intl.Collator('en', { numeric: true })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(byName.compare)
  return {
    pictures: paths.filter(isPicture),
    others: paths.filter((path) => !isPicture(path)),
  }
}

const describeUnreadable = (folder: string): string =>
  `The user ${findUserName(process.getuid?.() ?? 0)} may not read ${folder}. Copy the folder to a place that it may read, ` +
  'or run the command as yourself through the running service, with --url and --token.'

function describeRejection({ message, extras }: AppError): string {
  const isFieldMissing = extras.details?.some(({ kind }) => kind === 'required')
  const fix = 'The settings require this for new events: change them in the admin app, Settings, Events'
  return isFieldMissing ? `${message} ${fix}, or create the event there.` : message
}
