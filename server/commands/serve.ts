import type { Command } from 'commander'
import type { Config } from '../platform/configuration/config.ts'
import { readCommandConfig } from './command-environment.ts'
import { CommandRejected, exitCodes } from './command-errors.ts'
import { print, printError } from './print.ts'

export const addServe = (program: Command): Command =>
  program.command('serve', { isDefault: true }).description('start the service').action(serve)

async function serve(): Promise<void> {
  // When the program that reads the output has ended, the service continues without output. Without a listener the
  // error would end the process, and the logger would wait forever to write its last lines.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
  const config = readCommandConfig()
  const lock = await lockData(config)
  const { startService } = await import('../main.ts')
  const printFirstPassword = (password: string) =>
    print(`First sign-in: ${config.adminUsername} / ${password}  (shown only this once)`)
  const service = await startService(config, {}, printFirstPassword).catch((error: ListenError) => {
    const line = formatListenError(error, config)
    if (line === null) throw error
    printError(line)
    process.exit(exitCodes.failed)
  })
  const port = new URL(service.address).port
  lock?.announce(`http://localhost:${port}`)
  print(`Proofroom is ready: ${config.publicUrl ?? `http://localhost:${port}`}`)

  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      if (isStopping) return
      isStopping = true
      await service.stop()
      lock?.release()
      process.exit(0)
    })
  }
}

/** Two services on one SQLite database would answer from outdated memory. Nodes share a PostgreSQL database instead. */
async function lockData({ databaseUrl, dataDir }: Config) {
  if (databaseUrl !== null) return null
  const { prepareDataFolder } = await import('../platform/process/data-folder.ts')
  const { findRunningService, lockForService } = await import('../platform/process/service-lock.ts')
  await prepareDataFolder(dataDir)
  const lock = lockForService(dataDir)
  if (lock !== null) return lock
  const running = findRunningService(dataDir)
  const where = running === null ? '' : ` (process ${running.pid}, ${running.address})`
  throw new CommandRejected(
    `Another Proofroom service already runs with the data in ${dataDir}${where}. Stop it first.`,
  )
}

type ListenError = NodeJS.ErrnoException & { port?: number }

function formatListenError({ code = '', port: usedPort, syscall }: ListenError, config: Config): string | null {
  const { host, metricsPort } = config
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return null
  const isForMetrics = metricsPort !== null && usedPort === metricsPort
  const [name, port] = isForMetrics ? ['METRICS_PORT', metricsPort] : ['PORT', config.port]
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const who = code === 'EADDRINUSE' ? 'Find the program that uses it (sudo ss -ltnp), or set' : 'Set'
    return `Proofroom cannot listen on port ${port} (${code}). ${who} ${name} to another port.`
  }
  return `Proofroom cannot listen on the address ${host} (${code}). Set HOST to an address of this machine, or to 0.0.0.0 for all.`
}
