/** A minimal server to compare the start time with. Usage: PORT=… start.ts */
import { createServer } from 'node:http'

createServer((_request, response) => {
  response.end('{"status":"ok"}')
}).listen(Number(process.env.PORT), '127.0.0.1')
