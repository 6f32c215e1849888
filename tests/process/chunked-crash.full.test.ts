import { test } from 'vitest'
import { killDuringUploads } from '../support/uploads/kill-during-uploads.ts'

test('kill -9 at random during chunked uploads: each chunk is one complete version or reported as missing', async () => {
  await killDuringUploads(2)
})
