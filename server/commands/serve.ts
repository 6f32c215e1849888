import type { Command } from 'commander'
import { type Config, readConfig } from '../platform/config.ts'

export const addServe = (program: Command): Command =>
  program.command('serve', { isDefault: true }).description('start the service').action(serve)

async function serve(): Promise<void> {
  // When the program that reads the output has ended, the service continues without output. Without a listener the
  // error would end the process, and the logger would wait forever to write its last lines.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
  const config = readConfig(process.env)
  const { startService } = await import('../main.ts')
  const printFirstPassword = (password: string) =>
    console.log(`First sign-in: ${config.adminUsername} / ${password}  (shown only this once)`)
  const service = await startService(config, {}, printFirstPassword).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error
    console.error(`Proofroom cannot listen on port ${config.port} (${error.code}). Set PORT to another port.`)
    process.exit(1)
  })
  const port = new URL(service.address).port
  console.log(`Proofroom is ready: ${config.publicUrl ?? `http://localhost:${port}`}`)

  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      if (isStopping) return
      isStopping = true
      await service.stop()
      process.exit(0)
    })
  }
}

/** Opens no database and no storage. */
export const addCheckConfig = (program: Command): Command =>
  program
    .command('check-config')
    .description('check the environment variables, and show where data is stored')
    .action(() => console.log(`The configuration is valid. ${describeStores(readConfig(process.env))}`))

const describeStores = ({ databaseUrl, s3, dataDir }: Config): string =>
  [
    `Database: ${databaseUrl === null ? `SQLite in ${dataDir}` : 'PostgreSQL'}.`,
    `Media: ${s3 === null ? `a folder in ${dataDir}` : `the bucket ${s3.bucket}`}.`,
  ].join(' ')
