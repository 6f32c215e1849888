import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { linux } from '../support/run/requirements.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { createCompiledDataDir, runToEnd } from '../support/service/proofroom-command.ts'
import { startByNode } from '../support/service/service-process.ts'

const serve = (environment: Record<string, string>) =>
  runToEnd(['serve'], { HOST: '127.0.0.1', PORT: '0', ...environment })

test('a start with invalid values names each of them in one line and serves nothing', async () => {
  const DATA_DIR = await createCompiledDataDir()
  const { code, stderr } = await runToEnd([], { DATA_DIR, PORT: 'many', PUBLIC_URL: 'here', RATE_LIMIT: 'maybe' })
  expect(code).toBe(1)
  const lines = stderr.trim().split('\n').slice(1)
  expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(['PORT', 'PUBLIC_URL', 'RATE_LIMIT'])
})

test('a host, folder or file that cannot be used is named in one line', { tags: 'nightly' }, async () => {
  const folder = await temporaryFolder()
  const createFile = async (...path: string[]) => writeFile(join(...path), 'This is neither a database nor a folder.')
  await createFile(folder, 'file')
  const others = await Promise.all(
    ['proofroom.db', 'media', 'secrets'].map(async (name) => {
      const DATA_DIR = await createCompiledDataDir()
      await createFile(DATA_DIR, name)
      return { DATA_DIR }
    }),
  )
  const [database = {}, media = {}, secrets = {}] = others
  const cases = new Map<Record<string, string>, string>([
    [{ DATA_DIR: join(folder, 'data'), HOST: '192.0.2.9' }, '192.0.2.9 (EADDRNOTAVAIL)'],
    [{ DATA_DIR: join(folder, 'file') }, `DATA_DIR is not a writable folder: ${join(folder, 'file')} (ENOTDIR)`],
    [database, 'The database in DATA_DIR cannot be used: file is not a database (SQLITE_NOTADB).'],
    [media, 'DATA_DIR is not a writable folder: '],
    [secrets, 'Proofroom cannot use a file or folder: EEXIST'],
  ])
  if (linux.isMet()) cases.set({ DATA_DIR: '/proc/1/data' }, 'DATA_DIR is not a writable folder: /proc/1/data (ENOENT)')
  for (const [environment, text] of cases) {
    const { code, stdout, stderr } = await serve(environment)
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(text) })
    expect(stderr).not.toContain('    at ')
  }
})

test('a first start on a used port creates no account, and the next start prints the password', {
  tags: 'nightly',
}, async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const dataDir = await createCompiledDataDir()
  const { code, stdout, stderr } = await serve({ DATA_DIR: dataDir, PORT: String(port) })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(`cannot listen on port ${port} (EADDRINUSE)`)
  taken.close()
  await once(taken, 'close')

  const service = await startByNode({ dataDir })
  const [, password] = /First sign-in: admin \/ (\S+)/.exec(service.output()) ?? []
  const response = await createClient(service.url).post('/api/auth/admin/login', { username: 'admin', password })
  expect(response.status).toBe(200)
  await service.end('SIGTERM')
})
