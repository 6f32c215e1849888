import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../is-stale.ts'
import { listRuntimePackages } from './locked-packages.ts'

const isLicense = (name: string): boolean => /^(licen[cs]e|copying|notice)/i.test(name)
const isNative = (name: string): boolean => /\.(node|so|dylib|dll)(\.[\d.]+)?$/.test(name)

/**
 * The title of the license, which is not on a separate line where other licenses mention it, and the option of FFmpeg.
 */
const signs = ['GNU GENERAL PUBLIC LICENSE\n', 'GNU GENERAL PUBLIC LICENSE\r\n', '--enable-gpl']

/**
 * Returns the files in these folders that bring the text of the GNU General Public License, or FFmpeg built with its parts
 * under that license. What a manifest says is checked by `findForbidden`.
 */
export function findGpl(folders: readonly string[]): string[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && (isLicense(entry.name) || isNative(entry.name)))
        .map(({ parentPath, name }) => join(parentPath, name)),
    )
    .filter((path) => {
      const content = readFileSync(path)
      return signs.some((sign) => content.includes(sign))
    })
}

/** `findGpl` for the installed packages that are not bundled, and their dependencies. */
export const findGplInPackages = (): string[] =>
  findGpl(listRuntimePackages({ withOptional: true }).map((path) => join(root, path)))
