import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createClient, type TestClient } from '../clients/test-client.ts'
import { createApiToken } from '../fixtures/accounts.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { listStoredFiles } from '../storage/stored-files.ts'
import { startByNode } from './service-process.ts'
import { adminPassword, type TestService } from './test-service.ts'

export type KillableService = Awaited<ReturnType<typeof startKillableService>>

/** Returns clients with a session and with an API token of the first account of a service in another process. */
export async function signInAt(url: string): Promise<{ admin: TestClient; api: TestClient }> {
  const login = { username: 'admin', password: adminPassword }
  const { status, body } = await createClient(url).post('/api/auth/admin/login', login)
  if (status !== 200) throw new Error(`The sign-in failed: ${JSON.stringify(body)}`)
  const admin = createClient(url, body.token)
  return { admin, api: createClient(url, await createApiToken(admin, ['admin'])) }
}

/**
 * Starts a service in its own process, which tests kill and restart on the same data folder. The admin session stays
 * valid.
 */
export async function startKillableService(extraEnvironment: Record<string, string> = {}) {
  const dataDir = join(await temporaryFolder(), 'data')
  const environment = { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'warn', RATE_LIMIT: 'off', ...extraEnvironment }
  let process = await startByNode({ dataDir, environment })
  onTestFinished(() => process.end('SIGKILL'))
  const { admin, api } = await signInAt(process.url)
  const stored = { dataDir } as TestService

  return {
    stored,
    /** Returns the stored files outside `files/`, such as those in staging. */
    listStaged: async () => (await listStoredFiles(stored)).filter((path) => !path.startsWith('files/')),
    process: () => process,
    address: () => ({ url: process.url, token: String(admin.token) }),
    admin: () => createClient(process.url, admin.token),
    api: () => createClient(process.url, api.token),
    residentBytes: () => readResidentBytes(process.pid),
    kill: () => process.end('SIGKILL'),
    /** Kills the service if it runs. */
    async restart() {
      await process.end('SIGKILL')
      process = await startByNode({ dataDir, environment })
    },
  }
}

function readResidentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
