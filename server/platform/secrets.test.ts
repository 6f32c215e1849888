import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/run/temporary-folder.ts'
import { readConfig } from './config.ts'
import type { OpenDatabase } from './database/opened-database.ts'
import { loadSecrets } from './secrets.ts'

const configOf = (dataDir: string, environment: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: dataDir, ...environment })

const sqlite = { kind: 'sqlite' } as OpenDatabase

test('secrets are generated once and survive restarts', async () => {
  const config = configOf(await temporaryFolder())
  const first = await loadSecrets(config, sqlite)
  expect(await loadSecrets(config, sqlite)).toEqual(first)
})

test('the two secrets are long and different', async () => {
  const config = configOf(await temporaryFolder())
  const { jwtSecret, encryptionKey } = await loadSecrets(config, sqlite)
  expect(jwtSecret).not.toBe(encryptionKey)
  expect(Buffer.from(jwtSecret, 'base64url')).toHaveLength(48)
  expect(Buffer.from(encryptionKey, 'base64url')).toHaveLength(48)
  expect((await loadSecrets(configOf(await temporaryFolder()), sqlite)).jwtSecret).not.toBe(jwtSecret)
})

test('only the owner of the process can read them', async () => {
  const config = configOf(await temporaryFolder())
  await mkdir(join(config.dataDir, 'secrets'))
  await chmod(join(config.dataDir, 'secrets'), 0o755)
  await loadSecrets(config, sqlite)
  const modeOf = async (path: string) => (await stat(join(config.dataDir, path))).mode & 0o777
  expect(await modeOf('secrets')).toBe(0o700)
  expect(await modeOf('secrets/jwt-secret')).toBe(0o600)
  expect(await modeOf('secrets/encryption-key')).toBe(0o600)
})

test('secrets from the environment are not stored', async () => {
  const jwtSecret = 'j'.repeat(32)
  const encryptionKey = 'e'.repeat(32)
  const config = configOf(await temporaryFolder(), { JWT_SECRET: jwtSecret, ENCRYPTION_KEY: encryptionKey })
  expect(await loadSecrets(config, sqlite)).toEqual({ jwtSecret, encryptionKey })
  expect(await readdir(join(config.dataDir, 'secrets'))).toEqual([])
})

test('an existing secret file is used, with any line ending', async () => {
  const config = configOf(await temporaryFolder())
  await mkdir(join(config.dataDir, 'secrets'))
  await writeFile(join(config.dataDir, 'secrets/jwt-secret'), 'put here by an operator\n')
  expect((await loadSecrets(config, sqlite)).jwtSecret).toBe('put here by an operator')
})

test('processes that start together use the same secrets', async () => {
  const config = configOf(await temporaryFolder())
  const secrets = await Promise.all(Array.from({ length: 20 }, () => loadSecrets(config, sqlite)))
  expect(new Set(secrets.map(({ jwtSecret }) => jwtSecret)).size).toBe(1)
  expect(await readdir(join(config.dataDir, 'secrets'))).toHaveLength(2)
})

test('a secret file is never partial', async () => {
  const config = configOf(await temporaryFolder())
  const path = join(config.dataDir, 'secrets/jwt-secret')
  const found = new Set<string>()
  const loading = loadSecrets(config, sqlite).finally(() => found.add('loaded'))
  while (!found.has('loaded')) {
    if (existsSync(path)) found.add(readFileSync(path, 'utf8'))
    await new Promise(setImmediate)
  }
  expect(found).toEqual(new Set([(await loading).jwtSecret, 'loaded']))
})
