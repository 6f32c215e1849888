import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../is-stale.ts'

const fileName = 'packages.json'

/** A plugin of Rolldown and Vite. */
type ListPackages = { name: string; generateBundle: (this: BuildContext) => void }
type BuildContext = {
  getModuleIds: () => Iterable<string>
  emitFile: (file: { type: 'asset'; fileName: string; source: string }) => unknown
}

/** Writes the paths of the npm packages that a build contains to `packages.json`, from which licenses are listed. */
export const listPackages: ListPackages = {
  name: 'list-packages',
  generateBundle() {
    const paths = [...this.getModuleIds()].flatMap((id) => packagePath(id) ?? [])
    this.emitFile({ type: 'asset', fileName, source: JSON.stringify([...new Set(paths)].sort()) })
  },
}

/** Returns the path of the package of a module as `package-lock.json` has it, or null for our own modules. */
function packagePath(id: string): string | null {
  const [, path = null] = /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? []
  return path
}

/** Returns the paths of the npm packages in the built server and both web apps, also those of fonts. Throws if one of them is not built. */
export function readBundledPackages(): string[] {
  const builds = ['server/built', 'web/built', 'web/built/admin']
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const fonts = Object.keys(devDependencies).filter((name) => name.startsWith('@fontsource'))
  return [
    ...builds.flatMap((folder): string[] => JSON.parse(readFileSync(join(root, folder, fileName), 'utf8'))),
    ...fonts.map((name) => `node_modules/${name}`),
  ]
}
