/** A minimal server to compare originals with: it streams one file from disk. Usage: PORT=… originals.ts FILE */
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'

const file = process.argv[2] ?? ''
const sizeBytes = statSync(file).size

createServer((request, response) => {
  if (request.url === '/health') return void response.end()
  response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': sizeBytes })
  createReadStream(file).pipe(response)
}).listen(Number(process.env.PORT), '127.0.0.1')
