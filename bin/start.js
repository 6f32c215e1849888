// Enables the compile cache before it loads anything large, then runs the command.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import manifest from '../package.json' with { type: 'json' }

// Other users of the machine must not read the files of the service.
process.umask(0o077)

// Threads and image workers inherit these variables. libuv reads UV_THREADPOOL_SIZE when it first uses its threads.
const cache = resolve(process.env.DATA_DIR || './data', 'compile-cache', manifest.version)
process.env.NODE_COMPILE_CACHE = cache
process.env.UV_THREADPOOL_SIZE ??= '12'

// Uploads allocate large buffers. By default V8 keeps the heap limit close to the live memory, so it would collect
// garbage very often.
const heapFlag = '--heap-growing-percent=100'
setFlagsFromString(heapFlag)

// The built server starts in less than half of the time that the sources need. `npm run dev` sets PROOFROOM_SOURCES.
const isBuilt = existsSync(new URL('../server/built/run-command.js', import.meta.url))
const [program, warmUp] =
  isBuilt && !process.env.PROOFROOM_SOURCES
    ? ['../server/built/run-command.js', '../server/built/warm-up.js']
    : ['../server/commands/run-command.ts', '../server/warm-up.ts']
if (!isBuilt) console.error('The server is not built; it runs from source and starts more slowly. Run npm run build.')

// The first command of a version compiles in a separate process, so that the end of that process frees the memory.
// `--version` and `--help` do not create the folder of the service.
const asksAboutProgram = /^(-|help$)/.test(process.argv[2] ?? '')
if (!asksAboutProgram) {
  if (!existsSync(cache)) {
    const path = fileURLToPath(new URL(warmUp, import.meta.url))
    spawnSync(process.execPath, [...process.execArgv, heapFlag, path], { stdio: 'ignore' })
  }
  module.enableCompileCache(cache)
}

const { runCommand } = await import(program)
await runCommand(manifest.version)
