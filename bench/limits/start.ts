/** The limit of the start time: a minimal server for GET /health. Usage: PORT=… start.ts */
import { createServer } from 'node:http'

createServer((_request, response) => {
  response.end('{"status":"ok"}')
}).listen(Number(process.env.PORT), '127.0.0.1')
