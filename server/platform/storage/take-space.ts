import type { ReserveSpace } from './storage.ts'

const stepBytes = 2 ** 20

/**
 * Returns a function that calls `take` with a mebibyte before its first byte is written. A request of unknown length
 * thus fails when the space ends, and a slow one takes no more than it has sent.
 */
export function takePerMebibyte(take: (bytes: number) => Promise<void>): ReserveSpace {
  let takenBytes = 0
  let writtenBytes = 0
  return (bytes) => {
    writtenBytes += bytes
    if (writtenBytes <= takenBytes) return undefined
    const more = Math.ceil((writtenBytes - takenBytes) / stepBytes) * stepBytes
    takenBytes += more
    return take(more)
  }
}
