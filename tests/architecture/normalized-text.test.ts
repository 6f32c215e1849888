import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

const exceptions = [
  // Names in a folder or bucket are short, and browsers use the file too.
  'contract/pair-sidecars.ts',
  // A passphrase comes from the operator, and in another form it would be another key.
  'server/backups/encrypted-secrets.ts',
  'server/platform/normalize-text.ts',
]

test('normalizeText normalizes all text, because String.normalize takes long for many combining marks', () => {
  const files = ['contract', 'server'].flatMap(sourceFiles)
  expect(files.filter((file) => readFileSync(join(root, file), 'utf8').includes('.normalize(')).sort()).toEqual(
    exceptions,
  )
})
