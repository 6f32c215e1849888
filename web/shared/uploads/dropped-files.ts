/** `path` includes the folders: `Wedding/Church/1.jpg`. */
export type FoundFile = { file: File; path: string }

/** Returns the file itself, or all files of a folder and its subfolders. */
export async function listFiles(entry: FileSystemEntry): Promise<FoundFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, path: entry.fullPath.replace(/^\//, '') }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: FileSystemEntry[] = []
  // One call of `readEntries` returns only some entries, in Chrome at most 100.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) break
    found.push(...some)
  }
  return (await Promise.all(found.map(listFiles))).flat()
}
