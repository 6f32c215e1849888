/**
 * Returns the smallest file of the form that most raw formats have: a TIFF with a capture time. `takenAt` is that of the
 * camera, such as `2026:06:20 12:00:01`.
 */
export function rawFile(takenAt: string, content = ''): Buffer {
  const text = Buffer.from(`${takenAt}\0`)
  const exifAt = 8 + 2 + 12 + 4
  const textAt = exifAt + 2 + 12 + 4
  const file = Buffer.alloc(textAt)
  file.write('II*\0', 0, 'latin1')
  file.writeUInt32LE(8, 4)
  file.writeUInt16LE(1, 8)
  writeEntry(file, 10, { tag: 0x8769, type: 4, count: 1, value: exifAt })
  file.writeUInt16LE(1, exifAt)
  writeEntry(file, exifAt + 2, { tag: 0x9003, type: 2, count: text.length, value: textAt })
  return Buffer.concat([file, text, Buffer.from(content)])
}

type Entry = { tag: number; type: number; count: number; value: number }

function writeEntry(file: Buffer, at: number, { tag, type, count, value }: Entry): void {
  file.writeUInt16LE(tag, at)
  file.writeUInt16LE(type, at + 2)
  file.writeUInt32LE(count, at + 4)
  file.writeUInt32LE(value, at + 8)
}
