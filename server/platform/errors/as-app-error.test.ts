import { expect, test } from 'vitest'
import { FileMissing, StorageFull } from '../storage/storage.ts'
import { asAppError } from './as-app-error.ts'

const withCode = (code: string) => Object.assign(new Error('a text of the system'), { code })

test.each([
  ['a full storage', new StorageFull(), 'STORAGE_FULL'],
  ['a full disk', withCode('ENOSPC'), 'STORAGE_FULL'],
  ['an exceeded quota', withCode('EDQUOT'), 'STORAGE_FULL'],
  ['a full disk of SQLite', withCode('SQLITE_FULL'), 'STORAGE_FULL'],
  ['a full disk of PostgreSQL', withCode('53100'), 'STORAGE_FULL'],
  ['a missing file', new FileMissing('events/7/a.jpg'), 'PHOTO_FILE_MISSING'],
  ['any other error', withCode('EIO'), 'INTERNAL_ERROR'],
])('%s has a code for clients, and no text of the system', (_name, error, code) => {
  const appError = asAppError(error)
  expect(appError.code).toBe(code)
  expect(appError.extras).toEqual({})
})
