#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=2
// Old versions of Node must be able to parse this file, so that it can say what is missing.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Proofroom requires Node.js 24 or later; this is ${process.version}. Install it, or run "npm start" in a checkout.`,
  )
  process.exit(1)
}
import('./start.js')
