import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readText, root, sourceFiles } from './source-files.ts'

/** Returns the source files below the folders whose text matches, and those of `more`. */
const findFiles = (pattern: RegExp, folders = ['server'], more: string[] = []): string[] =>
  [...folders.flatMap(sourceFiles), ...more].filter((file) => pattern.test(readText(file))).sort()

test('rotate-key covers every encrypted column', () => {
  // Except encryption.ts and notice-links.ts, whose links end with the key, each has a column that rotate-key covers.
  expect(findFiles(/encryption\.encrypt\(/)).toEqual([
    'server/access/second-factor/second-factor-rows.ts',
    'server/events/gallery-passwords.ts',
    'server/feedback/notices/notice-links.ts',
    'server/platform/mail/mail-server-rows.ts',
    'server/platform/mail/queue-mail.ts',
    'server/platform/security/encryption.ts',
    'server/webhooks/webhooks.ts',
  ])
})

test('only config.ts and the launcher read the environment', () => {
  // The first file passes `process.env` to readConfig, the second a few variables to children.
  const readers = ['server/commands/command-environment.ts', 'server/platform/process/child-environment.ts']
  expect(findFiles(/process\.env/)).toEqual(readers)
})

test('commands print with print.ts only, which shows control characters as escapes', () => {
  const launcher = readdirSync(join(root, 'bin')).map((name) => join('bin', name))
  const rawOutput = /\bconsole\b|std(out|err)\.write|writeSync\(|pino\.destination\(1\)/
  // bin/proofroom.js prints the version of Node.js, and must be readable for old ones.
  const printing = ['bin/print-error.js', 'bin/proofroom.js', 'server/commands/print.ts']
  expect(findFiles(rawOutput, ['server/commands'], launcher)).toEqual(printing)
})

test('normalizeText normalizes all text, because String.normalize takes long for many combining marks', () => {
  expect(findFiles(/\.normalize\(/, ['contract', 'server'])).toEqual([
    // Names in a folder or bucket are short, and browsers use the file too.
    'contract/files/pair-sidecars.ts',
    // A passphrase comes from the operator, and in another form it would be another key.
    'server/backups/encrypted-secrets.ts',
    'server/platform/text/normalize-text.ts',
  ])
})

test('every transaction names its lock or is read-only', () => {
  expect(findFiles(/\.(transaction|startTransaction)\(/)).toEqual(['server/platform/database/transaction.ts'])
})

test('one predicate decides which photos guests see', () => {
  // edit-photos.ts reads the visibility that an operator sends, and counts the photos that become visible or hidden.
  const deciding = ['server/events/visible-photos.ts', 'server/photos/edit-photos.ts']
  expect(findFiles(/visibility['"]?\)?,? ?(=|!=|<>|'=').{0,8}'visible'/)).toEqual(deciding)
})

test('every operation that announces something wakes the delivery after its commit', () => {
  // These announce within the transaction of the calling function, which wakes the delivery.
  const announcing = [
    'server/events/event-announcements.ts',
    'server/feedback/give-feedback.ts',
    'server/feedback/threads/thread-changes.ts',
    'server/photos/photo-announcements.ts',
    'server/webhooks/announce.ts',
    'server/webhooks/delivery/queue-delivery.ts',
  ]
  const operations = findFiles(/(?:[aA]nnounce|queueDeliver)\w*\(\s*tx\b/)
  expect(operations.length).toBeGreaterThan(10)
  // Directly, or through a function that notifies about other changes too.
  const wakesDelivery = /(?:tell|notify)\('delivery'|\bnotify(?:StateChange|Stored)\(ctx/
  expect(operations.filter((file) => !announcing.includes(file) && !wakesDelivery.test(readText(file)))).toEqual([])
})

test('only the list of languages names one', () => {
  const files = ['contract', 'locales', 'server', 'web'].flatMap(sourceFiles)
  const naming = files.filter((file) => /['"]de['"]/.test(readText(file)))
  // The names of colors in other programs, an example, and types that are derived from the list.
  const others = ['contract/examples/admin-examples.ts', 'contract/exports.ts', 'web/admin/api/admin-api.d.ts']
  expect(naming.filter((file) => !others.includes(file))).toEqual(['contract/languages.ts'])
})

test('a folder has at most 40 source files, tests excluded; migrations are append-only', () => {
  const folders = Map.groupBy(['contract', 'locales', 'server', 'tools', 'web'].flatMap(sourceFiles), dirname)
  expect([...folders].flatMap(([folder, { length }]) => (length > 40 ? [folder] : []))).toEqual(['server/migrations'])
})

/** Returns the arguments of each call in a file that starts a process or a thread. */
function findStarts(code: string): string[] {
  const starts = /(?<![.\w])(?:spawn|spawnSync|fork|exec|execSync|execFile|execFileSync|promisify\(\w+\)|new Worker)\(/g
  return [...code.matchAll(starts)].map(({ index, 0: call }) => {
    const start = index + call.length
    let depth = 1
    for (let end = start; end < code.length; end++) {
      if (code[end] === '(') depth++
      if (code[end] === ')' && --depth === 0) return code.slice(start, end)
    }
    throw new Error('A call without its end')
  })
}

test('each child process and worker thread gets the environment for children, or none', () => {
  const modules =
    /^import (?!type).*from 'node:(child_process|worker_threads)'|import\('node:(child_process|worker_threads)'\)/m
  // These use `parentPort` or `MessageChannel` only, and start nothing.
  const threads = ['server/platform/database/sqlite-thread.ts', 'server/platform/storage/digest-thread.ts']
  const files = findFiles(modules, ['server'], ['bin/start.js']).filter((file) => !threads.includes(file))
  const calls = files.flatMap((file) => {
    const found = findStarts(readText(file))
    expect(found, `${file} starts something that this test does not recognize`).not.toEqual([])
    return found.map((call) => ({ file, call }))
  })
  expect(calls.length).toBeGreaterThan(5)
  const limited =
    /\benv: (childEnvironment\(|\{\}|\{ GLIBC_TUNABLES: largePages \}|\{ PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE: cache \})/
  expect(calls.filter(({ call }) => !limited.test(call))).toEqual([])
})
