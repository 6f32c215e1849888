import { listFiles } from '../../shared/uploads/dropped-files.ts'
import { sortNaturally } from '../../shared/uploads/upload-batches.ts'
import { isSystemFile } from '../../shared/uploads/upload-file-rules.ts'

export async function filesInFolders(entries: readonly FileSystemEntry[]): Promise<File[]> {
  const found = (await Promise.all(entries.map(listFiles))).flat()
  const own = found.filter(({ path }) => !isSystemFile(path))
  return sortNaturally(own, ({ path }) => path).map(({ file }) => file)
}

export const sortByName = (files: readonly File[]): File[] => sortNaturally(files, ({ name }) => name)
