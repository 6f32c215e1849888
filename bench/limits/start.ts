/**
 * The limit of starting: the least that answers GET /health.
 * Usage: start.ts, with PORT in the environment.
 */
import { createServer } from 'node:http'

createServer((_request, response) => {
  response.end('{"status":"ok"}')
}).listen(Number(process.env.PORT), '127.0.0.1')
