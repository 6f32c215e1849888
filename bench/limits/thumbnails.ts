/**
 * The limit of serving: the same bytes under the same headers, from memory, whatever is asked.
 * Usage: thumbnails.ts HEADERS BODY, with PORT in the environment: a JSON list [name, value, name, value…] and a file.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const headers: string[] = JSON.parse(process.argv[2] ?? '[]')
const body = readFileSync(process.argv[3] ?? '')

createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
