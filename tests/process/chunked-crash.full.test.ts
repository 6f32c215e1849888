import { test } from 'vitest'
import { killDuringUploads } from '../support/chunked-crash.ts'

test('kill -9 at random during chunked uploads: each chunk is one whole version of it, or named as missing', async () => {
  await killDuringUploads(4)
  // Several starts of the service.
}, 150_000)
