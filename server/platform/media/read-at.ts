import { open } from 'node:fs/promises'

/** Returns fewer bytes at the end of the file. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>

/** Headers are read in small pieces, most of them from these first bytes. */
const headBytes = 65_536

/** Passes a function that reads the file to `use`. */
export async function withReadAt<T>(path: string, use: (read: ReadAt) => Promise<T>): Promise<T> {
  const file = await open(path, 'r')
  try {
    const readFile: ReadAt = async (position, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
      return buffer.subarray(0, bytesRead)
    }
    const head = await readFile(0, headBytes)
    return await use(async (position, length) =>
      position + length <= head.length ? head.subarray(position, position + length) : readFile(position, length),
    )
  } finally {
    await file.close()
  }
}
