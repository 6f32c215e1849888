/** The files of what was dropped: itself, or all in a folder and in those within. */
export async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    // What systems put into every folder is nobody's photo.
    return file.name.startsWith('.') ? [] : [file]
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
