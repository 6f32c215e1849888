/**
 * Writes THIRD_PARTY_LICENSES and sbom.cdx.json of the container image into a folder. Runs in the image, with the
 * checkout that the package was built from. Usage: describe-image.ts INSTALLATION FOLDER
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../is-stale.ts'
import { type Component, listComponents } from './components.ts'
import { listDebianPackages } from './debian-packages.ts'
import { writeDescriptions } from './describe-components.ts'

const [installation = '.', folder = '.'] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
/** Where the base image keeps it. */
const nodeLicense = '/usr/local/LICENSE'
const node: Component = {
  kind: 'program',
  name: 'Node.js',
  version: process.versions.node,
  license: 'MIT',
  source: `https://github.com/nodejs/node/tree/${process.version}`,
  text: existsSync(nodeLicense)
    ? readFileSync(nodeLicense, 'utf8').trim()
    : `See https://github.com/nodejs/node/blob/${process.version}/LICENSE`,
}
const installed = listComponents((path) => existsSync(join(installation, path)))
const components = [...installed, node, ...listDebianPackages()]
mkdirSync(folder, { recursive: true })
writeDescriptions(folder, version, components)
