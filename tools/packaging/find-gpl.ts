import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const isLicense = (name: string): boolean => /^(licen[cs]e|copying|notice)/i.test(name)
const isNative = (name: string): boolean => /\.(node|so|dylib|dll)(\.[\d.]+)?$/.test(name)

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
      return content.includes('GNU GENERAL PUBLIC LICENSE\n') || content.includes('--enable-gpl')
    })
}
