import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../run/temporary-folder.ts'

/** Creates a loopback server and a file with this content. Tests assert that neither of them is read. */
export async function createDecoy(content: Buffer): Promise<{ url: string; path: string; connections: () => number }> {
  let connections = 0
  const server = createServer((_request, response) => void response.end(content)).listen(0, '127.0.0.1')
  server.on('connection', () => {
    connections += 1
  })
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const path = join(await temporaryFolder(), 'secret.ts')
  await writeFile(path, content)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/secret.ts`, path, connections: () => connections }
}
