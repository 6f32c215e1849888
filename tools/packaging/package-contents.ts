import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../is-stale.ts'
import { listComponents } from './components.ts'
import { descriptions, writeDescriptions } from './describe-components.ts'
import { findGplInPackages } from './find-gpl.ts'
import { findForbidden } from './licenses.ts'
import { getLocked, listRuntimePackages, nameOf } from './locked-packages.ts'

type Manifest = { name: string; version: string; files: string[] } & Record<string, unknown>

/**
 * Writes the contents of the npm package into an empty folder, from a checkout that is built. Throws if a license is
 * not allowed.
 */
export function writePackageContents(folder: string): { version: string } {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const components = listComponents()
  const [forbidden] = findForbidden(components)
  if (forbidden) throw new Error(`${forbidden.name} may not be in the package: ${forbidden.license}`)
  const [gpl] = findGplInPackages()
  if (gpl) throw new Error(`${gpl} is under the GNU General Public License`)

  for (const file of manifest.files.filter((file) => !descriptions.some((name) => name === file))) {
    cpSync(join(root, file), join(folder, file), { recursive: true, filter: (path) => !isLeftOut(path) })
  }
  writeDescriptions(folder, manifest.version, components)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(toPublished(manifest), null, 2)}\n`)
  return manifest
}

const isLeftOut = (path: string): boolean =>
  /\.test\.ts$|\/locales\/[^/]+\.ts$|\/tsconfig\.json$|\/built\/(admin\/)?packages\.json$/.test(path)

/** Leaves out what only a checkout needs. Names all packages that are not bundled, in the versions that were tested. */
function toPublished(manifest: Manifest) {
  const { private: _private, scripts, allowScripts, devDependencies, ...published } = manifest
  const versions = listRuntimePackages({ withOptional: false })
    .filter((path) => path === `node_modules/${nameOf(path)}`)
    .map((path) => [nameOf(path), getLocked(path).version])
  return { ...published, dependencies: Object.fromEntries(versions) }
}
