/**
 * A minimal server to compare uploads with: the same multipart form, durability and thumbnail. With `hashed` it also
 * computes SHA-256 and CRC-32 of each file, which the contract of the API asks for. Usage: PORT=… ingest.ts FOLDER
 * [hashed]
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'

const [folder = '.', mode] = process.argv.slice(2)
const isHashed = mode === 'hashed'
const blockBytes = 10_485_760
const closingBytes = '\r\n--\r\n--'.length
let stored = 0

sharp.concurrency(1)
sharp.cache(false)
for (const name of ['staging', 'originals', 'thumbnails']) await mkdir(`${folder}/${name}`, { recursive: true })

createServer(async (request, response) => {
  if (request.method !== 'POST') return void response.end()
  const id = ++stored
  const staged = `${folder}/staging/${id}.jpg`
  const thumbnail = `${folder}/staging/${id}.thumbnail.jpg`
  const digest = isHashed ? createDigest() : null
  await pipeline(() => fileBytes(request, digest?.update), createWriteStream(staged, { flush: true }))
  await sharp(staged)
    .autoOrient()
    .resize(480, 480, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 80 })
    .toFile(thumbnail)
  await flush(thumbnail)
  await rename(staged, `${folder}/originals/${id}.jpg`)
  await rename(thumbnail, `${folder}/thumbnails/${id}.jpg`)
  await Promise.all([flush(`${folder}/originals`), flush(`${folder}/thumbnails`)])
  const body = JSON.stringify({ id, filename: `${id}.jpg`, ...digest?.finish() })
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')

/** Returns the content of the only part of the form. Computes its end from the Content-Length and the boundary. */
async function* fileBytes(request: IncomingMessage, onBytes?: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1] ?? ''
  const end = Number(request.headers['content-length']) - boundary.length - closingBytes
  let position = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    const from = position === 0 ? chunk.indexOf('\r\n\r\n') + 4 : 0
    const bytes = chunk.subarray(from, Math.max(from, end - position))
    onBytes?.(bytes)
    yield bytes
    position += chunk.length
  }
}

/** SHA-256 over the digests of blocks of 10,485,760 bytes, and the CRC-32 of all bytes. */
function createDigest() {
  const tree = createHash('sha256')
  let block = createHash('sha256')
  let hashedBytes = 0
  let sum = 0
  const endBlock = () => {
    tree.update(block.digest())
    block = createHash('sha256')
    hashedBytes = 0
  }
  return {
    update(bytes: Buffer): void {
      sum = crc32(bytes, sum)
      for (let rest = bytes; rest.length > 0; ) {
        const part = rest.subarray(0, blockBytes - hashedBytes)
        block.update(part)
        hashedBytes += part.length
        if (hashedBytes === blockBytes) endBlock()
        rest = rest.subarray(part.length)
      }
    },
    finish() {
      if (hashedBytes > 0) endBlock()
      return { content_hash: tree.digest('hex'), crc32: sum }
    },
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync()
  await handle.close()
}
