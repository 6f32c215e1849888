import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { buildServerIfStale } from '../../../tools/build-server.ts'
import { buildWebIfStale } from '../../../tools/build-web.ts'
import { writePackageContents } from '../../../tools/packaging/package-contents.ts'
import { isIgnored } from './dockerfile.ts'

const root = join(import.meta.dirname, '../../..')

/** Writes the contents of the npm package, and links to its dependencies, which npm would install. */
export async function createPackageFolder(folder: string): Promise<void> {
  await Promise.all([buildServerIfStale(), buildWebIfStale()])
  writePackageContents(folder)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  linkPackages(folder, Object.keys(dependencies))
}

/** Copies the checkout without its builds and without the development packages. */
export function createCheckoutFolder(folder: string): void {
  const files = ['package.json', 'package-lock.json']
  for (const name of [...files, 'bin', 'clients', 'contract', 'locales', 'server', 'tools', 'web']) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !isIgnored(relative(root, path)),
    })
  }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const paths = Object.keys(packages).filter((path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path))
  linkPackages(
    folder,
    paths.filter((path) => !packages[path]?.dev).map((path) => path.slice('node_modules/'.length)),
  )
}

type Manifest = { dependencies: Record<string, string> }
type Lockfile = { packages: Record<string, { dev?: boolean }> }

function linkPackages(folder: string, names: string[]): void {
  for (const path of names.map((name) => join('node_modules', name)).filter((path) => existsSync(join(root, path)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path))
  }
}
