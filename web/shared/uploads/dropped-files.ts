/** A file, and where it lies in what was dropped or chosen: `Wedding/Church/1.jpg`. */
export type FoundFile = { file: File; path: string }

/** The files of what was dropped: itself, or all in a folder and in those within. */
export async function filesIn(entry: FileSystemEntry): Promise<FoundFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, path: entry.fullPath.replace(/^\//, '') }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: FileSystemEntry[] = []
  // It hands out a hundred at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) break
    found.push(...some)
  }
  return (await Promise.all(found.map(filesIn))).flat()
}
