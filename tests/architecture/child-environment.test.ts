import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

const modules =
  /^import (?!type).*from 'node:(child_process|worker_threads)'|import\('node:(child_process|worker_threads)'\)/m
const starts = /(?<![.\w])(?:spawn|spawnSync|fork|exec|execSync|execFile|execFileSync|promisify\(\w+\)|new Worker)\(/g

/** Returns the arguments of each call in a file that starts a process or a thread. */
const findStarts = (code: string): string[] => [...code.matchAll(starts)].map((match) => readArguments(code, match))

function readArguments(code: string, { index, 0: call }: RegExpExecArray): string {
  const start = index + call.length
  let depth = 1
  for (let end = start; end < code.length; end++) {
    if (code[end] === '(') depth++
    if (code[end] === ')' && --depth === 0) return code.slice(start, end)
  }
  throw new Error('A call without its end')
}

/** Files that use `parentPort` or `MessageChannel` only. They start nothing. */
const threads = ['server/platform/database/sqlite-thread.ts', 'server/platform/storage/digest-thread.ts']

test('each child process and worker thread gets the environment for children, or none', () => {
  const files = [...sourceFiles('server').filter((file) => !file.startsWith('server/built/')), 'bin/start.js']
  const calls = files.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8')
    if (!modules.test(code) || threads.includes(file)) return []
    const found = findStarts(code)
    expect(found, `${file} starts something that this test does not recognize`).not.toEqual([])
    return found.map((text) => ({ file, text }))
  })
  expect(calls.length).toBeGreaterThan(5)
  const isLimited = ({ text }: (typeof calls)[number]) =>
    /\benv: (childEnvironment\(|\{\}|\{ PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE: cache \})/.test(text)
  expect(calls.filter((call) => !isLimited(call))).toEqual([])
})
