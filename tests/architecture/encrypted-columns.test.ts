import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

test('rotate-key covers every encrypted column', () => {
  const encrypting = sourceFiles('server').filter((file) =>
    /encryption\.encrypt\(/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(encrypting.sort()).toEqual([
    // Except encryption.ts, each of these files has a column that rotate-key covers.
    'server/access/second-factor-rows.ts',
    'server/events/gallery-passwords.ts',
    'server/platform/encryption.ts',
    'server/platform/mail/mail-server-rows.ts',
    'server/platform/mail/queue-mail.ts',
    'server/webhooks/webhooks.ts',
  ])
})
