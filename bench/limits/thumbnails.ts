/**
 * A minimal server to compare thumbnails with: it sends bytes from memory. Usage: PORT=… thumbnails.ts HEADERS FILE,
 * with headers as a JSON list [name, value, …].
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const headers: string[] = JSON.parse(process.argv[2] ?? '[]')
const body = readFileSync(process.argv[3] ?? '')

createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
