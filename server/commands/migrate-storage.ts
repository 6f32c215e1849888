import { type Command, Option } from 'commander'
import { readConfig } from '../platform/config.ts'

export const addMigrateStorage = (program: Command): Command =>
  program
    .command('migrate-storage')
    .description('copy all media between DATA_DIR and the bucket of S3_BUCKET; what is copied stays where it was, too')
    .addOption(new Option('--to <place>', 'where they are to be').choices(['disk', 's3']).makeOptionMandatory())
    .action(async ({ to }: { to: 'disk' | 's3' }) => {
      const config = readConfig(process.env)
      const { reportStorageMove } = await import('./report-moves.ts')
      await reportStorageMove(config, to)
    })
