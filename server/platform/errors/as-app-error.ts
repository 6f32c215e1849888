import type { ProblemCode } from '../../../contract/problems.ts'
import { isOutage } from '../background/failure-log.ts'
import { FileMissing, StorageFull } from '../storage/storage.ts'
import { AppError, ValidationProblem } from './app-error.ts'

/** Returns the AppError for any error. An unknown error becomes INTERNAL_ERROR without details. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ValidationProblem) return new AppError('VALIDATION_ERROR', withMessage(error))
  if (error instanceof FileMissing) return new AppError('PHOTO_FILE_MISSING')
  if (error instanceof StorageFull) return new AppError('STORAGE_FULL')
  if (isOutage(error)) return new AppError('UNAVAILABLE', { retryAfterSeconds: 5 })
  return mapLibraryError(error as { code?: unknown; statusCode?: unknown }) ?? new AppError('INTERNAL_ERROR')
}

function withMessage({ details }: ValidationProblem) {
  const [first] = details
  if (!first) return { details }
  const sentence = `${first.path || 'The body'} ${first.message}`
  return { text: sentence.endsWith('?') ? sentence : `${sentence}.`, details }
}

function mapLibraryError(error: { code?: unknown; statusCode?: unknown }): AppError | null {
  const code = typeof error.code === 'string' ? error.code : ''
  const found = libraryErrors[code]
  if (found) return new AppError(found)
  // A range outside of a static file.
  if (error.statusCode === 416) return new AppError('RANGE_NOT_SATISFIABLE')
  // The client sent something that is not HTTP.
  if (code.startsWith('HPE_')) return new AppError('INVALID_REQUEST')
  if (code === 'SQLITE_IOERR_SHMSIZE') return new AppError('STORAGE_FULL')
  if (/^SQLITE_(BUSY|IOERR|CANTOPEN|PROTOCOL)/.test(code)) {
    return new AppError('UNAVAILABLE', { retryAfterSeconds: 5 })
  }
  return null
}

const libraryErrors: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'VALIDATION_ERROR',
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_JSON',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  FST_STATIC_FORBIDDEN_PATH: 'NOT_FOUND',
  /** The client disconnected. */
  ECONNRESET: 'INVALID_REQUEST',
  ENOSPC: 'STORAGE_FULL',
  EDQUOT: 'STORAGE_FULL',
  SQLITE_FULL: 'STORAGE_FULL',
  /** PostgreSQL: the disk is full. */
  '53100': 'STORAGE_FULL',
}
