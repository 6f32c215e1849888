import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

test('one predicate decides which photos guests see', () => {
  const deciding = sourceFiles('server').filter((file) =>
    /visibility['"]?\)?,? ?(=|!=|<>|'=').{0,8}'visible'/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(deciding.sort()).toEqual([
    'server/access/visible-to-guests.ts',
    // This file reads the visibility that an operator sends, and counts the photos that become visible or hidden.
    'server/photos/edit-photos.ts',
  ])
})
