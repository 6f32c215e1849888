import type { Command } from 'commander'
import { readConfig } from '../platform/config.ts'

export const addMigrateDatabase = (program: Command): Command =>
  program
    .command('migrate-database')
    .description('copy the SQLite database of DATA_DIR into an empty PostgreSQL database; the service must be stopped')
    .option('--to <url>', 'postgres://…; without it that of DATABASE_URL')
    .action(async ({ to }: { to?: string }) => {
      const config = readConfig({ ...process.env, ...(to && { DATABASE_URL: to }) })
      const { reportDatabaseMove } = await import('./report-moves.ts')
      await reportDatabaseMove(config)
    })
