import { AppError } from '../errors/app-error.ts'
import type { StagedFile } from './write-staged.ts'

export type ReceivedFile = StagedFile & {
  /** As the client sent it: untrusted, never part of a path. */
  clientName: string
  /** The file name under which the storage already has the file, if it has it. */
  finalName?: string
}

export type FormFile = ReceivedFile & { index: number }

export type RejectedFile = Pick<FormFile, 'clientName' | 'index'> & { appError: AppError }

const megabyte = 2 ** 20

export const fileTooLarge = (maxFileBytes: number): AppError =>
  new AppError('FILE_TOO_LARGE', { text: `File too large. Maximum size is ${maxFileBytes / megabyte} MB per file.` })
