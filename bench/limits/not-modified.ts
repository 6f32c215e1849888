/**
 * The limit of conditional requests: a bare 304 under the same headers, whatever is asked.
 * Usage: not-modified.ts HEADERS, with PORT in the environment: a JSON list [name, value, name, value…].
 */
import { createServer } from 'node:http'

const headers: string[] = JSON.parse(process.argv[2] ?? '[]')

createServer((_request, response) => {
  response.writeHead(304, headers)
  response.end()
}).listen(Number(process.env.PORT), '127.0.0.1')
