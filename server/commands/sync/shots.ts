import { isSidecar, pairSidecars } from '../../../contract/files/pair-sidecars.ts'
import { normalizeText } from '../../platform/text/normalize-text.ts'
import type { FolderFile } from '../walk-folder.ts'

/** The files of one picture in one folder: raw files, pictures made from them, and sidecars. */
export type Shot = {
  /** The path of its first file, without the extension. */
  path: string
  /** Equal for equal names of a camera, see `toNameKey`. */
  nameKey: string
  raws: FolderFile[]
  pictures: FolderFile[]
  /** The sidecars that exist, each with the file that it belongs to. */
  sidecars: Array<{ of: FolderFile; sidecar: FolderFile }>
}

const rawExtensions =
  /\.(3fr|ari|arw|bay|cr2|cr3|crw|dcr|dng|erf|fff|gpr|iiq|k25|kdc|mef|mos|mrw|nef|nrw|orf|pef|raf|raw|rw2|rwl|sr2|srf|srw|x3f)$/i
const pictureExtensions = /\.(jpe?g|png|tiff?|webp|avif|heic|heif)$/i

/** A DNG is a raw file whose metadata other programs keep inside; its sidecar is read by darktable and digiKam. */
export const isRaw = (path: string): boolean => rawExtensions.test(path)
export const isPicture = (path: string): boolean => pictureExtensions.test(path)

/** Systems write one name with composed or decomposed characters, and with any case. */
const fold = (text: string): string => normalizeText(text.replaceAll('\\', '/')).toLowerCase()
const withoutExtension = (path: string): string => path.replace(/(?<=[^/])\.[^./]*$/, '')

/** Returns the name without folder and extension. Numbers that browsers add to copies (` (1)`) are part of it. */
export const toNameKey = (path: string): string => withoutExtension(fold(path).split('/').at(-1) ?? '')

/** Groups files by folder and name. Files that are not pictures are left out. */
export function findShots(files: readonly FolderFile[]): Shot[] {
  const originals = files.filter(({ path }) => isRaw(path) || isPicture(path))
  const pairs = pairSidecars([...originals, ...files.filter(isSidecar)])
  const shots = Map.groupBy(originals, ({ path }) => withoutExtension(fold(path)))
  return Array.from(shots.values(), (group) => {
    const [first] = group as [FolderFile, ...FolderFile[]]
    return {
      path: withoutExtension(first.path),
      nameKey: toNameKey(first.path),
      raws: group.filter(({ path }) => isRaw(path)),
      pictures: group.filter(({ path }) => !isRaw(path)),
      sidecars: group.flatMap((of) => {
        const sidecar = pairs.get(of)
        return sidecar ? [{ of, sidecar }] : []
      }),
    }
  })
}
