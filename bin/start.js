// Enables the compile cache before it loads anything large, then runs the command.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import module from 'node:module'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import manifest from '../package.json' with { type: 'json' }
import { printError } from './print-error.js'
import { readVariablesFile } from './read-variables.js'

// Other users of the machine must not read the files of the service.
process.umask(0o077)

const variablesFile = readVariables()

// Threads and image workers get these variables. libuv reads UV_THREADPOOL_SIZE when it first uses its threads.
const dataDir = resolve(process.env.DATA_DIR || './data')
const cache = join(dataDir, 'compile-cache', manifest.version)
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
if (!isBuilt) printError('The server is not built; it runs from source and starts more slowly. Run npm run build.')

// The first start of a version compiles in a separate process, so that the end of that process frees the memory. Only
// the service creates the folder; other commands use it where it is.
const isService = !process.argv[2] || process.argv[2] === 'serve'
if (isService && canCreateCache()) {
  const path = fileURLToPath(new URL(warmUp, import.meta.url))
  const { PATH, LD_LIBRARY_PATH } = process.env
  spawnSync(process.execPath, [...process.execArgv, heapFlag, path], {
    stdio: 'ignore',
    // The module that returns the environment of other children is not loaded yet.
    env: { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE: cache },
  })
}
if (isOwn(cache)) module.enableCompileCache(cache)
else delete process.env.NODE_COMPILE_CACHE

const { runCommand } = await import(program)
await runCommand(manifest.version, variablesFile)

function readVariables() {
  try {
    return readVariablesFile()
  } catch (error) {
    printError(error.message)
    process.exit(2)
  }
}

/** False if the cache exists, or if the data belong to another user. The command itself reports such a folder. */
function canCreateCache() {
  if (existsSync(cache)) return false
  const database = join(dataDir, 'proofroom.db')
  return (existsSync(database) ? isOwn(database) : true) && makeFolder(cache)
}

function isOwn(path) {
  try {
    return statSync(path).uid === process.getuid()
  } catch {
    return false
  }
}

/** `mkdirSync` with `recursive` never returns in some folders of `/proc`. */
function makeFolder(path) {
  try {
    if (!existsSync(dirname(path)) && !makeFolder(dirname(path))) return false
    mkdirSync(path)
    return true
  } catch {
    return false
  }
}
