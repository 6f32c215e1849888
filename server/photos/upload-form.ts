import type { FastifyRequest } from 'fastify'
import { fileTooLarge, type ReceivedFile, withReceivedForm } from '../platform/http/receive-form.ts'
import { invalidField } from '../platform/refusal.ts'
import { multipartFileBytes } from '../settings/file-type-rules.ts'
import type { House } from '../settings/house.ts'
import { judgeDeclaredType } from './photo-rules.ts'

/** What a form may have around its file. */
const formOverheadBytes = 2 ** 20

export type Upload = { file: ReceivedFile; categoryId: number | null; replacesPhotoId: number | null }

/** Reads the one image of an upload and its two numbers (interface, "Upload rules"). Throws VALIDATION_ERROR and more. */
export async function withUpload<T>(
  house: House,
  request: FastifyRequest,
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  const maxFileBytes = multipartFileBytes(await house.settings.values())
  const announcedBytes = Number(request.headers['content-length'] ?? 0)
  if (announcedBytes > maxFileBytes + formOverheadBytes) throw fileTooLarge(maxFileBytes)
  await house.storage.ensureSpaceFor(announcedBytes)
  const rules = { fileField: 'photo', maxFiles: 1, maxFileBytes, judgeDeclaredType }
  return withReceivedForm(house.storage, request, rules, ({ fields, files: [file] }) => {
    if (!file) throw invalidField('photo', 'photo is required: send one image in this field.')
    const categoryId = idField(fields, 'category_id')
    return use({ file, categoryId, replacesPhotoId: idField(fields, 'replaces_photo_id') })
  })
}

/** A form field left empty is one not sent. */
function idField(fields: Map<string, string>, name: string): number | null {
  const text = fields.get(name)?.trim() ?? ''
  if (text === '') return null
  const id = Number(text)
  if (!/^\d+$/.test(text) || id < 1 || !Number.isSafeInteger(id)) throw invalidField(name, `${name} must be an id`)
  return id
}
