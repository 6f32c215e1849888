import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
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

/** Made whole under another name and then linked: nobody ever finds, and no crash ever leaves, a half-written one. */
async function keptSecret(path: string): Promise<string> {
  if (!existsSync(path)) {
    const draft = `${path}-${randomUUID()}`
    await writeFile(draft, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true })
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await rm(draft)
  }
  return (await readFile(path, 'utf8')).trim()
}
