type Listed = { path: string }

export const isSidecar = ({ path }: Listed): boolean => /\.xmp$/i.test(path)

/**
 * Returns the sidecar of each file that has one in its folder: for `IMG.JPG` it is `IMG.JPG.xmp`, `IMG.xmp`, or that of
 * the only raw file of this name, such as `IMG.CR3.xmp`. Upper and lower case, and composed characters, are equal.
 */
export function pairSidecars<File extends Listed>(files: readonly File[]): Map<File, File> {
  const byName = new Map<string, File>()
  const byStem = new Map<string, File[]>()
  for (const sidecar of files.filter(isSidecar)) {
    const named = toKey(sidecar.path.slice(0, -'.xmp'.length))
    byName.set(named, sidecar)
    const stem = withoutExtension(named)
    if (stem !== named) byStem.set(stem, [...(byStem.get(stem) ?? []), sidecar])
  }
  const pairs = new Map<File, File>()
  for (const file of files) {
    if (isSidecar(file)) continue
    const name = toKey(file.path)
    const stem = withoutExtension(name)
    const [raw, another] = byStem.get(stem) ?? []
    const found = byName.get(name) ?? byName.get(stem) ?? (another ? undefined : raw)
    if (found) pairs.set(file, found)
  }
  return pairs
}

/** Systems write the same name with composed or decomposed characters. */
const toKey = (path: string): string => path.replaceAll('\\', '/').normalize('NFC').toLowerCase()

const withoutExtension = (path: string): string => path.replace(/(?<=[^/])\.[^./]*$/, '')
