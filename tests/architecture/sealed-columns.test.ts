import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

test('whatever is encrypted in the database is known to rotate-key', () => {
  const sealing = sourceFiles('server').filter((file) =>
    /encryption\.seal\(/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(sealing.sort()).toEqual([
    // Each has a column that `health/all-sealed.ts` lists.
    'server/access/second-factor-rows.ts',
    'server/platform/encryption.ts',
    'server/platform/mail/queue-mail.ts',
    'server/webhooks/create-webhook.ts',
  ])
})
