/**
 * `npm run build`, which also runs after `npm ci`. Without the development packages it only removes an outdated server
 * build.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildServer, removeStaleServer } from './build-server.ts'
import { buildWeb } from './build-web.ts'
import { root } from './is-stale.ts'

const isForDevelopers = existsSync(join(root, 'node_modules/vite'))
if (isForDevelopers) await Promise.all([buildServer(), buildWeb()])
else {
  await removeStaleServer()
  console.log('Nothing was built, because npm left out the development packages. Run: npm ci && npm prune --omit=dev')
}
