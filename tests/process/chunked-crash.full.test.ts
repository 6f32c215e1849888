import { test } from 'vitest'
import { anyKilledUpload } from '../support/uploads/chunked-plans.ts'
import { killDuringUploads } from '../support/uploads/kill-during-uploads.ts'

test('kill -9 at random during a chunked upload and its completion: each chunk is one complete version or reported as missing', async () => {
  await killDuringUploads(anyKilledUpload, 1)
})
