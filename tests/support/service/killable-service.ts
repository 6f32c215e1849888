import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createClient } from '../clients/test-client.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { listStoredFiles } from '../storage/stored-files.ts'
import { type ServiceProcess, startByNode } from './service-process.ts'
import { adminPassword, type TestService } from './test-service.ts'

export type KillableService = Awaited<ReturnType<typeof startKillableService>>

/**
 * Starts a service in its own process, which tests kill and restart on the same data folder. The admin session stays
 * valid.
 */
export async function startKillableService(extraEnvironment: Record<string, string> = {}) {
  const dataDir = join(await temporaryFolder(), 'data')
  const environment = { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'warn', RATE_LIMIT: 'off', ...extraEnvironment }
  let process: ServiceProcess = await startByNode({ dataDir, environment })
  onTestFinished(() => process.end('SIGKILL'))
  const login = { username: 'admin', password: adminPassword }
  const { body } = await createClient(process.url).post('/api/auth/admin/login', login)
  const session = createClient(process.url, body.token)
  const created = await session.post('/api/admin/api-tokens', { name: 'test', scopes: ['admin'] })

  return {
    stored: { dataDir } as TestService,
    /** Returns the stored files outside `files/`, such as those in staging. */
    async listStaged(): Promise<string[]> {
      return (await listStoredFiles({ dataDir } as TestService)).filter((path) => !path.startsWith('files/'))
    },
    address: () => ({ url: process.url, token: String(body.token) }),
    admin: () => createClient(process.url, body.token),
    api: () => createClient(process.url, created.body.token),
    residentBytes: () => readResidentBytes(process.pid),
    kill: () => process.end('SIGKILL'),
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
