import { test } from 'vitest'
import { anyUpload } from '../support/uploads/chunked-plans.ts'
import { killDuringUploads } from '../support/uploads/kill-during-uploads.ts'

test('kill -9 at random during many chunked uploads: each chunk is one complete version or reported as missing', async () => {
  await killDuringUploads(anyUpload, 20)
}, 400_000)
