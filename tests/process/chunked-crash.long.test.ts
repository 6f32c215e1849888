import { test } from 'vitest'
import { killDuringUploads } from '../support/chunked-crash.ts'

test('kill -9 at random during many chunked uploads: each chunk is one complete version or reported as missing', async () => {
  await killDuringUploads(20)
}, 400_000)
