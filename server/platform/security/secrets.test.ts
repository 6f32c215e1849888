import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { readConfig } from '../configuration/config.ts'
import type { OpenDatabase } from '../database/opened-database.ts'
import { loadSecrets } from './secrets.ts'

const configOf = (dataDir: string, environment: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: dataDir, ...environment })

const sqlite = { kind: 'sqlite' } as OpenDatabase

test('secrets are long and different, survive restarts, and only the owner of the process can read them', async () => {
  const config = configOf(await temporaryFolder())
  await mkdir(join(config.dataDir, 'secrets'))
  await chmod(join(config.dataDir, 'secrets'), 0o755)
  const secrets = await loadSecrets(config, sqlite)
  expect(await loadSecrets(config, sqlite)).toEqual(secrets)
  const others = await loadSecrets(configOf(await temporaryFolder()), sqlite)
  const all = [secrets.jwtSecret, secrets.encryptionKey, others.jwtSecret, others.encryptionKey]
  expect(new Set(all).size).toBe(4)
  for (const secret of all) expect(Buffer.from(secret, 'base64url')).toHaveLength(48)
  const modeOf = async (path: string) => (await stat(join(config.dataDir, path))).mode & 0o777
  expect(await modeOf('secrets')).toBe(0o700)
  expect(await modeOf('secrets/jwt-secret')).toBe(0o600)
  expect(await modeOf('secrets/encryption-key')).toBe(0o600)
  await writeFile(join(config.dataDir, 'secrets/jwt-secret'), 'put here by an operator\n')
  expect((await loadSecrets(config, sqlite)).jwtSecret).toBe('put here by an operator')
})

test('secrets from the environment are not stored', async () => {
  const jwtSecret = 'j'.repeat(32)
  const encryptionKey = 'e'.repeat(32)
  const config = configOf(await temporaryFolder(), { JWT_SECRET: jwtSecret, ENCRYPTION_KEY: encryptionKey })
  expect(await loadSecrets(config, sqlite)).toEqual({ jwtSecret, encryptionKey })
  expect(await readdir(join(config.dataDir, 'secrets'))).toEqual([])
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
