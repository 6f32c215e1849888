import { type Command, Option } from 'commander'
import { readCommandConfig } from './command-environment.ts'
import { logProgressOption } from './folder-commands.ts'
import type { ProgressOptions } from './progress-bar.ts'
import { withAppContext } from './with-app-context.ts'

export const addRotateKey = (program: Command): Command =>
  program
    .command('rotate-key')
    .description('re-encrypt all values that still use ENCRYPTION_KEY_OLD with ENCRYPTION_KEY')
    .action(async () => {
      const { reencryptAll } = await import('./reencrypt-all.ts')
      await withAppContext({ creates: 'never' }, reencryptAll)
    })

export const addMigrateDatabase = (program: Command): Command =>
  program
    .command('migrate-database')
    .description('copy the SQLite database of DATA_DIR into an empty PostgreSQL database; the service must be stopped')
    .option('--to <url>', 'postgres://… (default: DATABASE_URL)')
    .option(...logProgressOption)
    .action(async ({ to, ...options }: ProgressOptions & { to?: string }) => {
      const config = readCommandConfig(to ? { DATABASE_URL: to, DATABASE_URL_FILE: '' } : {})
      const { reportDatabaseMove } = await import('./report-moves.ts')
      await reportDatabaseMove(config, options)
    })

export const addMigrateStorage = (program: Command): Command =>
  program
    .command('migrate-storage')
    .description('copy all media between DATA_DIR and the bucket of S3_BUCKET; the source files are kept')
    .addOption(new Option('--to <place>', 'where to copy the media').choices(['disk', 's3']).makeOptionMandatory())
    .option(...logProgressOption)
    .action(async ({ to, ...options }: ProgressOptions & { to: 'disk' | 's3' }) => {
      const config = readCommandConfig()
      const { reportStorageMove } = await import('./report-moves.ts')
      await reportStorageMove(config, to, options)
    })
