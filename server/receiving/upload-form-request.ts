import type { FastifyRequest } from 'fastify'
import type { ProblemCode } from '../../contract/problems.ts'
import { assertDeclaredType } from '../photos/photo-rules.ts'
import { invalidField } from '../platform/errors/app-error.ts'
import { withReceivedForm } from '../platform/http/receive-form.ts'
import { assertNotMisspelt } from '../platform/http/unknown-keys.ts'
import { type FormFile, fileTooLarge, type ReceivedFile, type RejectedFile } from '../platform/storage/received-file.ts'
import type { ReserveSpace, SpaceUser } from '../platform/storage/storage.ts'
import type { AppContext } from '../settings/app-context.ts'
import { multipartFileBytes } from '../settings/file-type-rules.ts'

export const uploadProblems: ProblemCode[] = [
  'INVALID_CATEGORY',
  'EVENT_ARCHIVED',
  'PHOTO_CAP_REACHED',
  'FILE_TOO_LARGE',
  'FILE_TYPE_NOT_ALLOWED',
  'UNREADABLE_IMAGE',
]

/** Maximum bytes of a form besides its files. */
const formOverheadBytes = 2 ** 20

export type Upload = { file: ReceivedFile; categoryId: number | null; replacesPhotoId: number | null }

const uploadFields = ['category_id', 'replaces_photo_id']

/** Throws VALIDATION_ERROR, FILE_TOO_LARGE, StorageFull and the errors of `withReceivedForm`. */
export async function withUpload<T>(
  ctx: AppContext,
  request: FastifyRequest,
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  return withPhotoForm(ctx, request, uploadFields, ({ file, fields }) => {
    const replacesPhotoId = fields.has('replaces_photo_id') ? parseId(fields, 'replaces_photo_id') : null
    return use({ file, categoryId: parseCategoryId(fields), replacesPhotoId })
  })
}

/** Like `withUpload`, for a form with these text fields. */
export async function withPhotoForm<T>(
  ctx: AppContext,
  request: FastifyRequest,
  textFields: readonly string[],
  use: (form: { file: ReceivedFile; fields: Map<string, string> }) => Promise<T>,
): Promise<T> {
  const rules = {
    fileField: 'photo',
    textFields,
    maxFiles: 1,
    maxFileBytes: await assertAnnouncedSize(ctx, request, 1, 'operator'),
    assertDeclaredType,
  }
  return withReceivedForm(ctx.storage, request, rules, ({ fields, files: [file] }) => {
    assertFieldNames(fields, rules)
    if (!file)
      throw invalidField(
        'photo',
        'photo is required: send one image in the field photo. Files in other fields are ignored.',
      )
    return use({ file, fields })
  })
}

/** A misspelt field would be lost: the photo would not replace the other one, for example. */
function assertFieldNames(fields: Map<string, string>, { fileField, textFields }: FieldNames): void {
  const known = [...textFields, fileField]
  assertNotMisspelt(
    [...fields.keys()].filter((name) => !known.includes(name)),
    known,
  )
}

type FieldNames = { fileField: string; textFields: readonly string[] }

const maxFilesAllowed = 50

export type Uploads = { files: FormFile[]; rejected: RejectedFile[]; categoryId: number | null }

/**
 * Receives files of an operator, or with `reserveSpace`, files of a guest. Throws VALIDATION_ERROR for no file or too
 * many, FILE_TOO_LARGE, StorageFull and the errors of `withReceivedForm`.
 */
export async function withUploadForm<T>(
  ctx: AppContext,
  request: FastifyRequest,
  use: (uploads: Uploads) => Promise<T>,
  reserveSpace?: ReserveSpace,
): Promise<T> {
  const rules = {
    fileField: 'photos',
    textFields: ['category_id'],
    maxFiles: maxFilesAllowed,
    maxFileBytes: await assertAnnouncedSize(ctx, request, maxFilesAllowed, reserveSpace ? 'guest' : 'operator'),
    assertDeclaredType,
    skipsInvalidFiles: true,
    ...(reserveSpace && { reserveSpace }),
  }
  return withReceivedForm(ctx.storage, request, rules, ({ fields, files, rejected }) => {
    assertFieldNames(fields, rules)
    if (files.length + rejected.length === 0)
      throw invalidField(
        'photos',
        'photos is required: send images in the field photos. Files in other fields are ignored.',
      )
    return use({ files, rejected, categoryId: parseCategoryId(fields) })
  })
}

/** Checks `Content-Length` and returns the maximum bytes of one file. Throws FILE_TOO_LARGE, StorageFull. */
async function assertAnnouncedSize(
  ctx: AppContext,
  request: FastifyRequest,
  maxFiles: number,
  user: SpaceUser,
): Promise<number> {
  const maxFileBytes = multipartFileBytes(await ctx.settings.values())
  const contentLength = Number(request.headers['content-length'] ?? 0)
  if (contentLength > maxFiles * maxFileBytes + formOverheadBytes) throw fileTooLarge(maxFileBytes)
  // The files take the space while they arrive.
  await ctx.storage.ensureSpaceFor(contentLength, user, { onlyCheck: true })
  return maxFileBytes
}

/** Forms send an empty value if no category is chosen. */
const parseCategoryId = (fields: Map<string, string>): number | null =>
  fields.get('category_id')?.trim() ? parseId(fields, 'category_id') : null

function parseId(fields: Map<string, string>, name: string): number {
  const text = fields.get(name)?.trim() ?? ''
  const id = Number(text)
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id)) throw invalidField(name, 'must be an id')
  return id
}
