/** `npm run build`, also after `npm ci`. Without the development packages it builds nothing. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildServer, removeStaleServer } from './build-server.ts'
import { buildWeb } from './build-web.ts'
import { root } from './is-stale.ts'

const isForDevelopers = existsSync(join(root, 'node_modules/vite'))
if (isForDevelopers) await Promise.all([buildServer(), buildWeb()])
else {
  await removeStaleServer()
  console.log('Nothing is built: the packages of developers are not installed.')
}
