import type { Command } from 'commander'
import type { Config } from '../platform/configuration/config.ts'
import { t } from '../platform/text/command-messages.ts'
import { readCommandConfig } from './command-environment.ts'
import { CommandRejected, exitCodes } from './command-errors.ts'
import { print, printError } from './print.ts'

export const addServe = (program: Command): Command =>
  program.command('serve', { isDefault: true }).description('help_serve').action(serve)

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
  throw new CommandRejected(
    running === null ? t('servedAlready', { dataDir }) : t('servedAlreadyBy', { ...running, dataDir }),
  )
}

type ListenError = NodeJS.ErrnoException & { port?: number }

function formatListenError({ code = '', port: usedPort, syscall }: ListenError, config: Config): string | null {
  const { host, metricsPort } = config
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return null
  const isForMetrics = metricsPort !== null && usedPort === metricsPort
  const [name, port] = isForMetrics ? (['METRICS_PORT', metricsPort] as const) : (['PORT', config.port] as const)
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const fix = t(code === 'EADDRINUSE' ? 'portInUseFix' : 'portDeniedFix', { name })
    return t('portUnusable', { port, code, fix })
  }
  return t('hostUnusable', { host, code })
}
