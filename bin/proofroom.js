#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=1
// Opens the compile cache before anything large is loaded, then hands over to the program.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import manifest from '../package.json' with { type: 'json' }

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Proofroom needs Node 24, this is ${process.version}. Use "npx proofroom" or "npm start" in the checkout.`,
  )
  process.exit(1)
}

// What the service keeps is nobody else's to read.
process.umask(0o077)

// Threads and image workers inherit the variables; libuv reads the size of its pool at its first use.
const cache = resolve(process.env.DATA_DIR || './data', 'compile-cache', manifest.version)
process.env.NODE_COMPILE_CACHE = cache
process.env.UV_THREADPOOL_SIZE ??= '12'

// Uploads pass through the heap in large buffers: one that may not grow is collected again and again for them.
const heapFlag = '--heap-growing-percent=100'
setFlagsFromString(heapFlag)

// The first start of a version compiles in a process of its own: the compiler's memory goes with it.
if (!existsSync(cache)) {
  const warmUp = fileURLToPath(new URL('../server/warm-up.ts', import.meta.url))
  spawnSync(process.execPath, [...process.execArgv, heapFlag, warmUp], { stdio: 'ignore' })
}
module.enableCompileCache(cache)

const { runCommand } = await import('../server/commands/run-command.ts')
await runCommand(manifest.version)
