/**
 * A minimal server to compare chunked uploads with: it writes and syncs each chunk at its offset. DELETE discards the
 * file. Usage: PORT=… chunked.ts FOLDER
 */
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'

const chunkBytes = 10_485_760
const folder = process.argv[2] ?? '.'
const path = `${folder}/upload`

await mkdir(folder, { recursive: true })
let file = await open(path, 'w')

createServer(async (request, response) => {
  if (request.method === 'POST') await store(request, file, Number(request.url?.slice(1)) * chunkBytes)
  if (request.method === 'DELETE') await begin()
  const body = '{"received":true}'
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')

async function store(request: IncomingMessage, to: FileHandle, start: number): Promise<void> {
  let position = start
  for await (const piece of request as AsyncIterable<Buffer>) {
    await to.write(piece, 0, piece.length, position)
    position += piece.length
  }
  await to.sync()
}

async function begin(): Promise<void> {
  await file.close()
  await rm(path)
  file = await open(path, 'w')
}
