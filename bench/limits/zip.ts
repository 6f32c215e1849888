/**
 * A minimal server to compare ZIP downloads with. It sends all files of a folder one after another, in a response of
 * known length. Usage: PORT=… zip.ts FOLDER
 */
import { once } from 'node:events'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const folder = process.argv[2] ?? '.'
const files = readdirSync(folder)
  .sort()
  .map((name) => join(folder, name))
const sizeBytes = files.reduce((sum, file) => sum + statSync(file).size, 0)

createServer(async (request, response) => {
  if (request.url === '/health') return void response.end()
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': sizeBytes })
  for (const file of files) {
    const stream = createReadStream(file)
    stream.pipe(response, { end: false })
    await once(stream, 'end')
  }
  response.end()
}).listen(Number(process.env.PORT), '127.0.0.1')
