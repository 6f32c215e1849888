import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../is-stale.ts'
import { readBundledPackages } from './bundled-packages.ts'
import { getLocked, listRuntimePackages, nameOf } from './locked-packages.ts'
import { listImageLibraries, type NativeLibrary, nativePackages } from './native-libraries.ts'

/** Something by others that a package or image contains. */
export type Component = {
  kind: 'npm' | 'library' | 'font' | 'program' | 'debian'
  name: string
  version: string | null
  /** An SPDX expression. For Debian packages: the names in their copyright file. */
  license: string
  /** Where the source is. */
  source: string | null
  /** The license and its copyright notices; empty if only the license is known. */
  text: string
  /** How the names of the npm packages begin whose native code contains the library. */
  within?: string
}

/**
 * Returns what the npm package contains or installs: on all platforms, or only the packages that are installed according
 * to `isInstalled`. Throws if a package has no license or an unchecked version.
 */
export function listComponents(isInstalled: (path: string) => boolean = () => true): Component[] {
  const runtime = listRuntimePackages({ withOptional: true }).filter(isInstalled)
  const paths = [...new Set([...readBundledPackages(), ...runtime])].sort()
  const native = nativePackages
    .filter(({ names }) => paths.some((path) => nameOf(path).startsWith(names)))
    .flatMap(({ names, libraries }) => librariesWithin(names, libraries))
  const images = paths.filter((path) => path.includes('/sharp-libvips-')).find((path) => existsSync(join(root, path)))
  const versions = JSON.parse(readFileSync(join(root, images ?? '', 'versions.json'), 'utf8'))
  return [
    ...new Map(paths.map((path) => [`${nameOf(path)} ${getLocked(path).version}`, describePackage(path)])).values(),
    ...native,
    ...librariesWithin('@img/sharp-libvips-', listImageLibraries(versions)),
    font,
  ]
}

const librariesWithin = (names: string, libraries: readonly NativeLibrary[]): Component[] =>
  libraries.map((library) => ({ kind: 'library', ...library, text: '', within: names }))

const font: Component = {
  kind: 'font',
  name: 'Open Sans SemiBold',
  version: null,
  license: 'OFL-1.1',
  source: 'https://github.com/googlefonts/opensans',
  text: readFileSync(join(root, 'server/platform/media/fonts/OFL.txt'), 'utf8').trim(),
}

function describePackage(path: string): Component {
  const { version, license } = getLocked(path)
  const name = nameOf(path)
  const native = nativePackages.find(({ names }) => name.startsWith(names))
  if (native && native.version !== version) {
    throw new Error(`${name} is ${version}: check its libraries, then change tools/packaging/native-libraries.ts`)
  }
  if (!license) throw new Error(`package-lock.json has no license for ${name}`)
  const family = familyOf(path)
  return {
    kind: 'npm',
    name,
    version,
    license,
    source: repositoryOf(path) ?? repositoryOf(family) ?? `https://www.npmjs.com/package/${name}`,
    text: readLicense(path) || (getLocked(family).license === license ? readLicense(family) : ''),
  }
}

/** Packages for one platform have no license file and may not be installed here. Returns the package they belong to. */
function familyOf(path: string): string {
  const [, family = null] = /^node_modules\/(@node-rs\/argon2|@img\/sharp)-[^/]+$/.exec(path) ?? []
  if (family === null) return path
  return `node_modules/${family === '@img/sharp' ? 'sharp' : family}`
}

function repositoryOf(path: string): string | null {
  if (path.startsWith('node_modules/@img/sharp-libvips-')) return 'https://github.com/lovell/sharp-libvips'
  const file = join(root, path, 'package.json')
  if (!existsSync(file)) return null
  const { repository } = JSON.parse(readFileSync(file, 'utf8')) as { repository?: string | { url?: string } }
  const url = typeof repository === 'string' ? repository : repository?.url
  if (!url) return null
  const address = url
    .replace(/^git\+/, '')
    .replace(/^(git|ssh):\/\/(git@)?/, 'https://')
    .replace(/\.git$/, '')
  return address.includes('://') ? address : `https://github.com/${address.replace(/^github:/, '')}`
}

function readLicense(path: string): string {
  const folder = join(root, path)
  if (!existsSync(folder)) return ''
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  return files
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n')
}
