import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { Value } from 'typebox/value'
import { GalleryPassword } from '../../contract/events.ts'
import { imageFileTypes } from '../../contract/settings.ts'
import type { AccountCaller } from '../access/callers.ts'
import { createEvent } from '../events/create-event.ts'
import type { EventRow } from '../events/event-rows.ts'
import { AppError } from '../platform/app-error.ts'
import { sharePath } from '../platform/links.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'
import { receivePhoto } from '../receiving/receive-photo.ts'
import type { AppContext } from '../settings/app-context.ts'
import { fail } from './command-errors.ts'
import { createProgressBar } from './progress-bar.ts'

export type ShareOptions = { name: string; type: string; password?: string }

/** Creates an event from a folder and prints the share link. Sets the exit code on a failure or a rejected picture. */
export async function shareFolder(ctx: AppContext, folder: string, options: ShareOptions): Promise<void> {
  const { pictures, others } = await listPictures(folder)
  if (pictures.length === 0) return fail(`${folder} is not a folder with photos.`)
  if (options.password !== undefined && !Value.Check(GalleryPassword, options.password)) {
    return fail('The password must have 6 to 128 characters and must not consist of digits only.')
  }
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
  }).catch((error) => (error instanceof AppError ? fail(error.message) : Promise.reject(error)))
  if (!event) return

  const rejected = await uploadAll(ctx, event, pictures)
  console.log(`${pictures.length - rejected.length} of ${pictures.length} photos shared.`)
  for (const { name, reason } of rejected) console.log(`  ${name}: ${reason}`)
  if (rejected.length > 0) process.exitCode = 1
  if (others.length > 0) console.log(`Skipped files: ${others.join(', ')}`)
  console.log(`${await ctx.settings.linkOrigin()}${sharePath(event)}`)
}

async function uploadAll(ctx: AppContext, event: EventRow, paths: string[]) {
  const rejected: Array<{ name: string; reason: string }> = []
  const bar = createProgressBar()
  for (const [index, path] of paths.entries()) {
    const name = basename(path)
    bar.show(index, paths.length, name)
    await upload(ctx, event, path).catch((error) => {
      if (!(error instanceof AppError)) throw error
      rejected.push({ name, reason: error.message })
    })
    bar.show(index + 1, paths.length, name)
  }
  bar.end()
  return rejected
}

async function upload(ctx: AppContext, event: EventRow, path: string): Promise<void> {
  const staged = await writeStaged(ctx.storage, createReadStream(path, { highWaterMark: 2 ** 20 }))
  try {
    await receivePhoto(ctx, { event, file: { ...staged, clientName: basename(path) }, uploadedBy: 'import' })
  } finally {
    await ctx.storage.discard(staged.path)
  }
}

async function listPictures(folder: string): Promise<{ pictures: string[]; others: string[] }> {
  const found = await stat(folder).catch(() => null)
  if (!found?.isDirectory()) return { pictures: [], others: [] }
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
    others: paths.filter((path) => !isPicture(path)).map((path) => basename(path)),
  }
}

/** Events created on the command line belong to the first active super_admin. */
async function findOwner({ db }: AppContext): Promise<AccountCaller> {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('role', '=', 'super_admin')
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { user, scope: null, via: 'header' }
}
