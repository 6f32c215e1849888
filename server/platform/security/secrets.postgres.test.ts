import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { readConfig } from '../configuration/config.ts'
import { loadSecrets } from './secrets.ts'

const nodeOf = async (environment: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: await temporaryFolder(), ...environment })

async function database() {
  const { database } = await contextForTest()
  await database.db.deleteFrom('kept_secrets').execute()
  return database
}

test('nodes that start together have the same two long, different secrets; those of the environment are not stored', async () => {
  const shared = await database()
  const [jwt, encryption] = ['j'.repeat(32), 'e'.repeat(32)]
  const given = await loadSecrets(await nodeOf({ JWT_SECRET: jwt, ENCRYPTION_KEY: encryption }), shared)
  expect(given).toEqual({ jwtSecret: jwt, encryptionKey: encryption })
  expect(await shared.db.selectFrom('kept_secrets').selectAll().execute()).toEqual([])
  const nodes = await Promise.all(Array.from({ length: 20 }, () => nodeOf()))
  const secrets = await Promise.all(nodes.map((node) => loadSecrets(node, shared)))
  const [{ jwtSecret, encryptionKey } = { jwtSecret: '', encryptionKey: '' }] = secrets
  expect(secrets).toEqual(secrets.map(() => ({ jwtSecret, encryptionKey })))
  expect(jwtSecret).not.toBe(encryptionKey)
  for (const secret of [jwtSecret, encryptionKey]) expect(Buffer.from(secret, 'base64url')).toHaveLength(48)
})

test('secrets in the data folder are taken over, on all nodes', async () => {
  const shared = await database()
  const previous = await nodeOf()
  await mkdir(join(previous.dataDir, 'secrets'))
  await writeFile(join(previous.dataDir, 'secrets/encryption-key'), 'of the time before\n')
  expect((await loadSecrets(previous, shared)).encryptionKey).toBe('of the time before')
  expect((await loadSecrets(await nodeOf(), shared)).encryptionKey).toBe('of the time before')
})
