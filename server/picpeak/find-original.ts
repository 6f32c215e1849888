import { fileTooLarge } from '../platform/storage/received-file.ts'
import { t } from '../platform/text/command-messages.ts'
import type { Move } from './move-context.ts'
import type { SourcePhoto } from './read-photos.ts'
import type { SourceFile, SourceFiles, SourceZip } from './source/source-files.ts'

/** No decoder takes a larger photo. For videos it is the largest value of the setting. Smaller settings do not apply here. */
const maxOriginalBytes = { image: 2 ** 30, video: 100_000 * 2 ** 20 }

/** Returns the original of a photo, or why it is not taken, as far as this is known without its content. */
export async function findOriginal(
  move: Pick<Move, 'source'>,
  photo: SourcePhoto,
  zip: SourceZip | null,
): Promise<SourceFile | string> {
  const file = await findFile(move, photo, zip)
  if (file === null) return describeMissing(move, photo)
  const maxBytes = maxOriginalBytes[photo.family]
  return file.sizeBytes > maxBytes
    ? t('photoProblem', { name: photo.name, problem: fileTooLarge(maxBytes).message })
    : file
}

/** Returns null for a photo without a file. */
async function findFile(
  { source }: Pick<Move, 'source'>,
  { paths, externalPaths, zipNames }: SourcePhoto,
  zip: SourceZip | null,
): Promise<SourceFile | null> {
  for (const path of externalPaths) {
    const found = await source.externalMedia?.find(path)
    if (found) return found
  }
  for (const path of paths) {
    const found = await source.files.find(path)
    if (found) return found
  }
  for (const name of zipNames) {
    const found = zip?.files.get(name)
    if (found) return found
  }
  return null
}

/** Says where the file of a photo should be, or why this user cannot read it. */
function describeMissing({ source }: Pick<Move, 'source'>, { paths, externalPaths, name }: SourcePhoto): string {
  const denied = findDenied(externalPaths, source.externalMedia) ?? findDenied(paths, source.files)
  if (denied !== null) return t('originalDenied', { problem: denied })
  const [external] = externalPaths
  if (external === undefined) return t('originalMissing', { path: paths[0] ?? name })
  return t(source.externalMedia ? 'externalMissing' : 'externalUnnamed', { path: external })
}

/** Returns the reason for the first of the paths that is denied. */
function findDenied(paths: readonly string[], files: SourceFiles | null): string | null {
  for (const path of paths) {
    const denied = files?.describeDenied?.(path)
    if (denied) return denied
  }
  return null
}
