/**
 * A minimal server to compare conditional requests with: a bare 304. Usage: PORT=… not-modified.ts HEADERS, a JSON list
 * [name, value, …].
 */
import { createServer } from 'node:http'

const headers: string[] = JSON.parse(process.argv[2] ?? '[]')

createServer((_request, response) => {
  response.writeHead(304, headers)
  response.end()
}).listen(Number(process.env.PORT), '127.0.0.1')
