import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, invalidField } from '../errors/app-error.ts'
import { type FormFile, fileTooLarge, type RejectedFile } from '../storage/received-file.ts'
import type { ReserveSpace, Storage } from '../storage/storage.ts'
import { takePerMebibyte } from '../storage/take-space.ts'
import { writeStaged } from '../storage/write-staged.ts'

export type ReceivedForm = { fields: Map<string, string>; files: FormFile[]; rejected: RejectedFile[] }

export type FormRules = {
  /** The field of the files. A file in any other field is ignored, except in `textFields`. */
  fileField: string
  /** A file in one of these fields rejects the form. */
  textFields: readonly string[]
  maxFiles: number
  maxFileBytes: number
  assertDeclaredType: (mimeType: string) => void
  /** By default the files take the space that is free for operators. */
  reserveSpace?: ReserveSpace
  /** True: a file that is too large or of a wrong type is listed in `rejected`. Else it rejects the whole form. */
  skipsInvalidFiles?: boolean
}

export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
}

/** How many bytes of a form are read in addition to accepted files and the limit of one file. */
const maxDroppedBytes = 16 * 2 ** 20

/**
 * Streams files into staging and passes the form to `use`. Discards the files that `use` has not committed. Throws
 * FILE_TOO_LARGE, also for a form with more than the limit of one file and 16 MB besides its accepted files. Throws
 * VALIDATION_ERROR and errors of `assertDeclaredType`, of the storage and of `use`.
 */
export async function withReceivedForm<T>(
  storage: Storage,
  request: FastifyRequest,
  rules: FormRules,
  use: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  const form: ReceivedForm = { fields: new Map(), files: [], rejected: [] }
  try {
    const reserveSpace = rules.reserveSpace ?? takePerMebibyte((bytes) => storage.ensureSpaceFor(bytes))
    await receive(request, { storage, rules, reserveSpace, form, accepted: new Set() })
    return await use(form)
  } finally {
    await Promise.all(form.files.map(({ path }) => storage.discard(path)))
  }
}

type Receiving = {
  storage: Storage
  rules: FormRules
  reserveSpace: ReserveSpace
  form: ReceivedForm
  /** Files that are stored as far as they have arrived. */
  accepted: Set<BusboyFileStream>
}

async function receive(request: FastifyRequest, receiving: Receiving): Promise<void> {
  const { rules, form, accepted } = receiving
  if (!request.headers['content-type']?.startsWith('multipart/form-data')) {
    throw invalidField(rules.fileField, `Send multipart/form-data with a file in the field ${rules.fileField}.`)
  }
  const body = request.raw
  const parser = createParser(request, rules)
  const stored: Promise<void>[] = []
  let isRejected = false
  let readBytes = 0

  await new Promise<void>((resolve, reject) => {
    // Not `pipeline`: it would close the connection at the first rejection, before the response is sent.
    const fail = (error: unknown) => {
      isRejected = true
      body.unpipe(parser)
      for (const stream of accepted) stream.destroy(error as Error)
      reject(error)
    }
    // The name is undefined for a part without a name, although its type is `string`.
    parser.on('field', (name: string | undefined, value, nameCut, valueCut) => {
      if (nameCut || valueCut) fail(invalidField((name ?? '').slice(0, 100), 'is too long'))
      else if (name !== undefined) form.fields.set(name, value)
    })
    parser.on('file', (name, stream, clientName, _encoding, mimeType) => {
      // Without this listener, an error of the stream would end the process. `storing` rejects with that error.
      stream.on('error', () => undefined)
      // The stream of a file that arrives after the rejection never ends, so nothing may wait for it.
      if (isRejected) return stream.resume()
      if (rules.textFields.includes(name)) return fail(invalidField(name, 'must be sent as text, not as a file'))
      if (name !== rules.fileField) return stream.resume()
      accepted.add(stream)
      if (stored.length >= rules.maxFiles) return fail(tooManyFiles(rules))
      const part = { stream, mimeType, clientName: clientName ?? '', index: stored.length }
      const storing = rules.skipsInvalidFiles ? storeOrSkip(receiving, part) : storeFile(receiving, part)
      stored.push(storing)
      storing.catch(fail)
    })
    parser.on('fieldsLimit', () => fail(invalidField('', 'The form has too many fields.')))
    parser.on('partsLimit', () => fail(invalidField('', 'The form has too many parts.')))
    parser.on('error', fail)
    parser.on('finish', resolve)
    body.on('data', (chunk: Buffer) => {
      readBytes += chunk.length
      if (!isRejected && readBytes - countBytes(accepted) > rules.maxFileBytes + maxDroppedBytes) {
        fail(fileTooLarge(rules.maxFileBytes))
      }
    })
    body.on('error', fail)
    body.on('close', () => body.complete || fail(new Error('The client disconnected')))
    body.pipe(parser)
  }).catch(async (error) => {
    await Promise.allSettled(stored)
    throw toAppError(error)
  })
  const failed = (await Promise.allSettled(stored)).find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  form.files.sort((a, b) => a.index - b.index)
}

/** A truncated file will be discarded. */
const countBytes = (accepted: Iterable<BusboyFileStream>): number =>
  [...accepted].reduce((sum, stream) => sum + (stream.truncated ? 0 : stream.bytesRead), 0)

type FilePart = { stream: BusboyFileStream; mimeType: string; clientName: string; index: number }

async function storeFile({ storage, rules, reserveSpace, form }: Receiving, part: FilePart): Promise<void> {
  const { stream, mimeType, clientName, index } = part
  stream.once('limit', () => stream.destroy(fileTooLarge(rules.maxFileBytes)))
  rules.assertDeclaredType(mimeType)
  form.files.push({ ...(await writeStaged(storage, stream, reserveSpace)), clientName, index })
}

/** Reads a rejected file to its end, because the parser continues only then. The parser truncates large files. */
async function storeOrSkip({ storage, rules, reserveSpace, form, accepted }: Receiving, part: FilePart): Promise<void> {
  const { stream, mimeType, clientName, index } = part
  const skip = (appError: AppError) => form.rejected.push({ clientName, index, appError })
  try {
    rules.assertDeclaredType(mimeType)
  } catch (error) {
    accepted.delete(stream)
    stream.resume()
    if (!(error instanceof AppError)) throw error
    return void skip(error)
  }
  const staged = await writeStaged(storage, stream, reserveSpace)
  if (!stream.truncated) return void form.files.push({ ...staged, clientName, index })
  await storage.discard(staged.path)
  skip(fileTooLarge(rules.maxFileBytes))
}

/** With less, the request would pause after each of its buffers. */
const bufferBytes = 256 * 1024

const formLimits = { fieldNameSize: 100, fieldSize: 10_000, fields: 50, headerPairs: 50 }

/** Parts without a name and files in other fields than `fileField`, all of which are ignored. */
const maxIgnoredParts = 10

function createParser(request: FastifyRequest, { maxFiles, maxFileBytes }: FormRules) {
  const parts = formLimits.fields + maxFiles + maxIgnoredParts
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { ...formLimits, parts, fileSize: maxFileBytes },
      highWaterMark: bufferBytes,
      fileHwm: bufferBytes,
    })
  } catch {
    throw invalidField('', 'The multipart body has no boundary.')
  }
}

const tooManyFiles = ({ fileField, maxFiles }: FormRules): AppError =>
  invalidField(fileField, `Send at most ${maxFiles} file${maxFiles === 1 ? '' : 's'} in the field ${fileField}.`)

function toAppError(error: unknown): unknown {
  const code = (error as { code?: string }).code
  if (error instanceof AppError || (code && /^(ENOSPC|EDQUOT|EIO|EMFILE|ENOENT|EACCES|EROFS)$/.test(code))) return error
  return invalidField('', 'The multipart body is malformed or ended early.')
}
