import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort, nodeStart } from '../support/service-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createClient } from '../support/test-client.ts'

const root = join(import.meta.dirname, '../..')

test('a start with values that cannot be used names each of them in one line and serves nothing', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  const environment = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: 'many',
    PUBLIC_URL: 'here',
    RATE_LIMIT: 'maybe',
  }
  const { code, stderr } = await startAndEnd(environment)
  expect(code).toBe(1)
  const lines = stderr.trim().split('\n').slice(1)
  expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(['PORT', 'PUBLIC_URL', 'RATE_LIMIT'])
})

test('a DATA_DIR that is no folder is named in one line', async () => {
  const environment = { PATH: process.env.PATH, DATA_DIR: join(root, 'package.json'), PORT: '0', HOST: '127.0.0.1' }
  const { code, stderr } = await startAndEnd(environment)
  expect(code).toBe(1)
  expect(stderr).toContain('DATA_DIR is not a folder that can be written to')
  expect(stderr).not.toContain('    at ')
})

test('a first start that finds its port taken has shown the password all the same', async () => {
  const port = await freePort()
  const taken = createServer().listen(port, '127.0.0.1')
  await once(taken, 'listening')
  const dataDir = join(await temporaryFolder(), 'data')
  const environment = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' }
  const { code, stdout, stderr } = await startAndEnd(environment)
  expect(code).toBe(1)
  expect(stderr).toContain(`cannot listen on port ${port} (EADDRINUSE)`)
  taken.close()
  await once(taken, 'close')

  const [, password] = /First sign-in: admin \/ (\S+)/.exec(stdout) ?? []
  const service = await nodeStart({ dataDir, port })
  const answer = await createClient(service.url).post('/api/auth/admin/login', { username: 'admin', password })
  expect(answer.status).toBe(200)
  await service.end('SIGTERM')
})

function startAndEnd(env: NodeJS.ProcessEnv): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['bin/proofroom.js'], { cwd: root, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}
