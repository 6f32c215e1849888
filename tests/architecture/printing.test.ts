import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

/** What writes to a terminal without `print.ts`. */
const rawOutput = /\bconsole\b|std(out|err)\.write|writeSync\(|pino\.destination\(1\)/

test('commands print with print.ts only, which shows control characters as escapes', () => {
  const launcher = readdirSync(join(root, 'bin')).map((name) => join('bin', name))
  const printing = [...sourceFiles('server/commands'), ...launcher].filter((file) =>
    rawOutput.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(printing.sort()).toEqual([
    'bin/print-error.js',
    // Prints the version of Node.js, and must be readable for old ones.
    'bin/proofroom.js',
    'server/commands/print.ts',
  ])
})
