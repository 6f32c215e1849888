import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

export type Secrets = { jwtSecret: string; encryptionKey: string }

/** The secrets of this instance: from the environment, else generated once and kept in `DATA_DIR/secrets`. */
export async function loadSecrets(config: Config): Promise<Secrets> {
  const folder = join(config.dataDir, 'secrets')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  return {
    jwtSecret: config.jwtSecret ?? (await keptSecret(join(folder, 'jwt-secret'))),
    encryptionKey: config.encryptionKey ?? (await keptSecret(join(folder, 'encryption-key'))),
  }
}

async function keptSecret(path: string): Promise<string> {
  try {
    const file = await open(path, 'wx', 0o600)
    const secret = randomBytes(48).toString('base64url')
    await file.writeFile(secret)
    await file.sync()
    await file.close()
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readFile(path, 'utf8')).trim()
  }
}
