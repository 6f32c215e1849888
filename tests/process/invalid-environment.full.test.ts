import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { linux, requireOrSkip } from '../support/run/requirements.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { createCompiledDataDir, runToEnd } from '../support/service/proofroom-command.ts'
import { startByNode } from '../support/service/service-process.ts'

test('a start with invalid values names each of them in one line and serves nothing', async () => {
  const DATA_DIR = await createCompiledDataDir()
  const { code, stderr } = await runToEnd([], { DATA_DIR, PORT: 'many', PUBLIC_URL: 'here', RATE_LIMIT: 'maybe' })
  expect(code).toBe(1)
  const lines = stderr.trim().split('\n').slice(1)
  expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(['PORT', 'PUBLIC_URL', 'RATE_LIMIT'])
})

const expectOneLine = ({ code, stdout, stderr }: Awaited<ReturnType<typeof runToEnd>>, text: string) => {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(text)
  expect(stderr).not.toContain('    at ')
}

test.each([
  ['nonsense.invalid', 'nonsense.invalid (E'],
  ['192.0.2.9', '192.0.2.9 (EADDRNOTAVAIL)'],
])(
  'a HOST that is not an address of this machine (%s) is named in one line, before anything is stored',
  async (HOST, text) => {
    const DATA_DIR = await createCompiledDataDir()
    expectOneLine(await runToEnd(['serve'], { DATA_DIR, HOST, PORT: '0' }), text)
  },
)

test('a folder in which nothing can be created is named in one line', async ({ skip }) => {
  requireOrSkip(skip, [linux])
  const result = await runToEnd(['serve'], { DATA_DIR: '/proc/1/data', HOST: '127.0.0.1', PORT: '0' })
  expectOneLine(result, 'DATA_DIR is not a writable folder: /proc/1/data (ENOENT)')
})

test.each([
  ['proofroom.db', 'The database in DATA_DIR cannot be used: file is not a database (SQLITE_NOTADB).'],
  ['media', 'DATA_DIR is not a writable folder: '],
  ['secrets', 'Proofroom cannot use a file or folder: EEXIST'],
])('another file in the place of %s is named in one line', async (name, text) => {
  const DATA_DIR = await createCompiledDataDir()
  await mkdir(DATA_DIR, { recursive: true })
  await writeFile(join(DATA_DIR, name), 'This is neither a database nor a folder.')
  expectOneLine(await runToEnd(['serve'], { DATA_DIR, HOST: '127.0.0.1', PORT: '0' }), text)
})

test('a DATA_DIR that is not a folder is named in one line', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, '')
  const result = await runToEnd([], { DATA_DIR: file, PORT: '0', HOST: '127.0.0.1' })
  expectOneLine(result, `DATA_DIR is not a writable folder: ${file} (ENOTDIR)`)
})

test('a first start on a used port creates no account, and the next start prints the password', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const dataDir = await createCompiledDataDir()
  const result = await runToEnd([], { DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' })
  expectOneLine(result, `cannot listen on port ${port} (EADDRINUSE)`)
  taken.close()
  await once(taken, 'close')

  const service = await startByNode({ dataDir })
  const [, password] = /First sign-in: admin \/ (\S+)/.exec(service.output()) ?? []
  const response = await createClient(service.url).post('/api/auth/admin/login', { username: 'admin', password })
  expect(response.status).toBe(200)
  await service.end('SIGTERM')
})
