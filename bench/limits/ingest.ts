/**
 * A minimal server to compare uploads with: the same multipart form, durability and thumbnail. Usage: PORT=… ingest.ts
 * FOLDER
 */
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'

const folder = process.argv[2] ?? '.'
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
  await pipeline(() => fileBytes(request), createWriteStream(staged, { flush: true }))
  await sharp(staged)
    .autoOrient()
    .resize(480, 480, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 80 })
    .toFile(thumbnail)
  await flush(thumbnail)
  await rename(staged, `${folder}/originals/${id}.jpg`)
  await rename(thumbnail, `${folder}/thumbnails/${id}.jpg`)
  await Promise.all([flush(`${folder}/originals`), flush(`${folder}/thumbnails`)])
  const body = JSON.stringify({ id, filename: `${id}.jpg` })
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')

/** Returns the content of the only part of the form. Computes its end from the Content-Length and the boundary. */
async function* fileBytes(request: IncomingMessage): AsyncGenerator<Buffer> {
  const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1] ?? ''
  const end = Number(request.headers['content-length']) - boundary.length - closingBytes
  let position = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    const from = position === 0 ? chunk.indexOf('\r\n\r\n') + 4 : 0
    yield chunk.subarray(from, Math.max(from, end - position))
    position += chunk.length
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync()
  await handle.close()
}
