/** Creates a box of a MOV or MP4 file: length, type, content. */
export function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + body.length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, body])
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const typeBox = (brand: string): Buffer => box('ftyp', Buffer.from(brand, 'latin1'), uint32(0))

/** An entry of a `dref` box that refers to another file, unless `flags` mark it as self-contained. */
export const reference = (type: 'url ' | 'alis', place: string, flags = 0): Buffer =>
  box(type, uint32(flags), Buffer.from(`${place}\0`.padEnd(type === 'alis' ? 160 : 0, '\0')))

/** A QuickTime reference movie, which contains only the address of another movie. */
export const createReferenceMovie = (url: string): Buffer =>
  Buffer.concat([
    typeBox('qt  '),
    box(
      'moov',
      box(
        'rmra',
        box('rmda', box('rdrf', uint32(0), Buffer.from('url '), uint32(url.length + 1), Buffer.from(`${url}\0`))),
      ),
    ),
  ])

const referencePath = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']

/**
 * Returns the movie with a reference to media in another file. The `moov` box of `movie` must follow the media data,
 * because the reference changes the size of the box.
 */
export function withReference(movie: Buffer, entry: Buffer): Buffer<ArrayBuffer> {
  const changed = Buffer.from(movie)
  let [start, end] = [0, movie.length]
  const found: number[] = []
  for (const type of referencePath) {
    let position = start
    while (movie.toString('latin1', position + 4, position + 8) !== type) {
      position += movie.readUInt32BE(position)
      if (position >= end) throw new Error(`The movie has no ${type}`)
    }
    found.push(position)
    ;[start, end] = [position + 8, position + movie.readUInt32BE(position)]
  }
  const [dref = 0] = found.slice(-1)
  const content = Buffer.concat([uint32(0), uint32(1), entry])
  const growth = content.length - (movie.readUInt32BE(dref) - 8)
  for (const position of found) changed.writeUInt32BE(movie.readUInt32BE(position) + growth, position)
  return Buffer.concat([changed.subarray(0, dref + 8), content, changed.subarray(end)])
}
