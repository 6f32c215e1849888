import { listFiles } from '../../shared/uploads/dropped-files.ts'
import { isSystemFile } from '../../shared/uploads/upload-file-rules.ts'

export async function filesInFolders(entries: readonly FileSystemEntry[]): Promise<File[]> {
  const found = (await Promise.all(entries.map(listFiles))).flat()
  return found.filter(({ path }) => !isSystemFile(path)).map(({ file }) => file)
}
