/**
 * Decodes the tiles of a HEIC file, and with `picture` also makes the upright picture of them, as the service does. Usage:
 * heic.ts FILE [picture]; prints the CPU seconds.
 */
import { stat } from 'node:fs/promises'
import { decodeFrames } from '../../server/platform/media/decoder/decode-frames.ts'
import { decodeHeic } from '../../server/platform/media/heic/decode-heic.ts'
import { readHeic } from '../../server/platform/media/heic/read-heic.ts'
import { type ReadAt, withReadAt } from '../../server/platform/media/read-at.ts'

const [path = '', mode] = process.argv.slice(2)
const convert = mode === 'picture' ? decodeHeic : decodeTiles
const { size } = await stat(path)
await withReadAt(path, async (read) => {
  const before = process.cpuUsage()
  await convert(read, size)
  const { user, system } = process.cpuUsage(before)
  console.log((user + system) / 1e6)
})

async function decodeTiles(read: ReadAt, sizeBytes: number): Promise<void> {
  const { tiles } = await readHeic(read, sizeBytes)
  const [first] = tiles
  if (!first) return
  const { config, ...stream } = first.stream
  const pieces = tiles.flatMap((tile) => tile.pieces)
  const chunks = await Promise.all(
    pieces.map(async ({ at, length }) => ({ data: await read(at, length), isKey: true })),
  )
  for await (const frame of decodeFrames({ ...stream, codec: 'hevc', extradata: config }, chunks)) frame.close()
}
