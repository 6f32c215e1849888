/** `npm run package`: builds the server and the web apps and writes the npm package into `dist/package`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buildServer } from '../build-server.ts'
import { buildWeb } from '../build-web.ts'
import { root } from '../is-stale.ts'
import { writePackageContents } from './package-contents.ts'

await Promise.all([buildServer(), buildWeb()])
const target = join(root, 'dist/package')
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'proofroom-package-'))
try {
  writePackageContents(folder)
  execFileSync('npm', ['pack', '--silent', '--pack-destination', target], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const name of readdirSync(target)) {
  const file = join(target, name)
  console.log(`${relative(root, file)}: ${(statSync(file).size / 1e6).toFixed(1)} MB`)
}
