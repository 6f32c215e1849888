import { type FileHandle, open } from 'node:fs/promises'

export type ReadAt = (position: number, length: number) => Promise<Buffer>

/** Calls `use` with a function that reads the file. The file is opened only for bytes after `head`. */
export async function withReadAt<T>(path: string, head: Buffer, use: (read: ReadAt) => Promise<T>): Promise<T> {
  let file: FileHandle | undefined
  const read: ReadAt = async (position, length) => {
    if (position + length <= head.length) return head.subarray(position, position + length)
    file ??= await open(path, 'r')
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  }
  try {
    return await use(read)
  } finally {
    await file?.close()
  }
}
