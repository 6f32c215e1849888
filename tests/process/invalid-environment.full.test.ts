import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { linkCompileCache } from '../support/run/compile-cache.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startByNode } from '../support/service/service-process.ts'

const root = join(import.meta.dirname, '../..')

test('a start with invalid values names each of them in one line and serves nothing', async () => {
  const dataDir = await createCompiledDataDir()
  const environment = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: 'many',
    PUBLIC_URL: 'here',
    RATE_LIMIT: 'maybe',
  }
  const { code, stderr } = await runToEnd(environment)
  expect(code).toBe(1)
  const lines = stderr.trim().split('\n').slice(1)
  expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(['PORT', 'PUBLIC_URL', 'RATE_LIMIT'])
})

test('check-config prints where data is stored, without secrets, and opens nothing', async () => {
  const dataDir = await createCompiledDataDir()
  const environment = { PATH: process.env.PATH, DATA_DIR: dataDir }
  const plain = await runToEnd(environment, 'check-config')
  expect(plain.stdout).toBe(
    `The configuration is valid. Database: SQLite in ${dataDir}. Media: a folder in ${dataDir}.\n`,
  )
  expect(plain.code).toBe(0)

  const away = { DATABASE_URL: 'postgres://ana:swordfish@127.0.0.1:9/photos', S3_BUCKET: 'pictures' }
  const { code, stdout } = await runToEnd({ ...environment, ...away }, 'check-config')
  expect(stdout).toContain('Database: PostgreSQL. Media: the bucket pictures.')
  expect(stdout).not.toContain('swordfish')
  expect(code).toBe(0)
  expect(await readdir(dataDir)).toEqual(['compile-cache'])
})

test('check-config names invalid values as a start does', async () => {
  const environment = { PATH: process.env.PATH, DATA_DIR: await createCompiledDataDir() }
  const alone = { S3_SECRET_ACCESS_KEY: 'swordfish', DATABASE_URL: 'mysql://ana:swordfish@db.example/photos' }
  const { code, stderr } = await runToEnd({ ...environment, ...alone }, 'check-config')
  expect(code).toBe(1)
  expect(stderr.match(/^ {2}\w+/gm)).toEqual(['  DATABASE_URL', '  S3_ACCESS_KEY_ID'])
  expect(stderr).not.toContain('swordfish')
})

test('a DATA_DIR that is not a folder is named in one line', async () => {
  const environment = { PATH: process.env.PATH, DATA_DIR: join(root, 'package.json'), PORT: '0', HOST: '127.0.0.1' }
  const { code, stderr } = await runToEnd(environment)
  expect(code).toBe(1)
  expect(stderr).toContain('DATA_DIR is not a writable folder')
  expect(stderr).not.toContain('    at ')
})

test('a first start on a used port still prints the password', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const dataDir = await createCompiledDataDir()
  const environment = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' }
  const { code, stdout, stderr } = await runToEnd(environment)
  expect(code).toBe(1)
  expect(stderr).toContain(`cannot listen on port ${port} (EADDRINUSE)`)
  taken.close()
  await once(taken, 'close')

  const [, password] = /First sign-in: admin \/ (\S+)/.exec(stdout) ?? []
  const service = await startByNode({ dataDir })
  const response = await createClient(service.url).post('/api/auth/admin/login', { username: 'admin', password })
  expect(response.status).toBe(200)
  await service.end('SIGTERM')
})

async function createCompiledDataDir(): Promise<string> {
  const dataDir = join(await temporaryFolder(), 'data')
  await linkCompileCache(dataDir)
  return dataDir
}

type ProcessResult = { code: number | null; stdout: string; stderr: string }

function runToEnd(env: NodeJS.ProcessEnv, ...args: string[]): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const programArgs = ['bin/proofroom.js', ...args]
    const child = execFile(process.execPath, programArgs, { cwd: root, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}
