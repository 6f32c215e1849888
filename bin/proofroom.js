#!/usr/bin/env node
// Opens the compile cache before anything large is loaded, then hands over to the program.
import module from 'node:module'
import { resolve } from 'node:path'
import process from 'node:process'

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Proofroom needs Node 24, this is ${process.version}. Use "npx proofroom" or "npm start" in the checkout.`,
  )
  process.exit(1)
}

// Threads and image workers inherit the variables; the pool is read by libuv at its first use.
process.env.NODE_COMPILE_CACHE ??= resolve(process.env.DATA_DIR || './data', 'compile-cache')
process.env.UV_THREADPOOL_SIZE ??= '12'
module.enableCompileCache(process.env.NODE_COMPILE_CACHE)

await import('../server/commands/run-command.ts')
