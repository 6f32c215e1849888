import { test } from 'vitest'
import { killDuringUploads } from '../support/chunked-crash.ts'

test('kill -9 at random during chunked uploads: each chunk is one complete version or reported as missing', async () => {
  await killDuringUploads(4)
}, 150_000)
