/** Returns fewer bytes at the end of the file. */
export type ReadBytes = (at: number, length: number) => Promise<Buffer>

/** `inserted` takes the place of `removed` bytes from `at` on. */
export type FileEdit = { at: number; removed: number; inserted: Buffer }

export type PacketPlace = {
  /** Where the XMP packet of the file is; null for a file without one. */
  packet: { at: number; length: number } | null
  /** Returns the edits that give the file another packet, in the order of their places. Throws RejectedXmp. */
  replace: (packet: Buffer) => FileEdit[]
}
