import { type Command, Option } from 'commander'
import { readCommandConfig } from './command-environment.ts'
import type { ProgressOptions } from './progress-bar.ts'
import { withAppContext } from './with-app-context.ts'

export const addRotateKey = (program: Command): Command =>
  program
    .command('rotate-key')
    .description('help_rotateKey')
    .action(async () => {
      const { reencryptAll } = await import('./reencrypt-all.ts')
      await withAppContext({ creates: 'never' }, reencryptAll)
    })

export const addMigrateDatabase = (program: Command): Command =>
  program
    .command('migrate-database')
    .description('help_migrateDatabase')
    .option('--to <url>', 'help_toDatabase')
    .option('--log-progress', 'help_logProgress')
    .action(async ({ to, ...options }: ProgressOptions & { to?: string }) => {
      const config = readCommandConfig(to ? { DATABASE_URL: to, DATABASE_URL_FILE: '' } : {})
      const { reportDatabaseMove } = await import('./report-moves.ts')
      await reportDatabaseMove(config, options)
    })

export const addMigrateStorage = (program: Command): Command =>
  program
    .command('migrate-storage')
    .description('help_migrateStorage')
    .addOption(new Option('--to <place>', 'help_toStorage').choices(['disk', 's3']).makeOptionMandatory())
    .option('--log-progress', 'help_logProgress')
    .action(async ({ to, ...options }: ProgressOptions & { to: 'disk' | 's3' }) => {
      const config = readCommandConfig()
      const { reportStorageMove } = await import('./report-moves.ts')
      await reportStorageMove(config, to, options)
    })
