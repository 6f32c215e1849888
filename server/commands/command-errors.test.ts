import { expect, test } from 'vitest'
import { formatOperatorError } from './command-errors.ts'

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code })

test('a full disk is named as such, and no reason to restore a backup', () => {
  expect(formatOperatorError(withCode('SQLITE_IOERR_SHMSIZE', 'disk I/O error'))).toBe(
    'The database in DATA_DIR cannot be used: disk I/O error (SQLITE_IOERR_SHMSIZE). ' +
      'If the disk is full, free space on it. The data are not damaged by that.',
  )
  expect(formatOperatorError(withCode('ENOSPC', 'ENOSPC: no space left on device, write'))).toMatch(/^The disk is full/)
  expect(formatOperatorError(withCode('SQLITE_NOTADB', 'file is not a database'))).not.toMatch(/full/)
})
