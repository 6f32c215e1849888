import type { Command } from 'commander'
import { type Config, readConfig } from '../platform/config.ts'

/** Opens no database and no storage. */
export const addCheckConfig = (program: Command): Command =>
  program
    .command('check-config')
    .description('tell whether the environment can be used, and where data would be kept')
    .action(() => console.log(`The configuration can be used. ${describeStores(readConfig(process.env))}`))

const describeStores = ({ databaseUrl, s3, dataDir }: Config): string =>
  [
    `Database: ${databaseUrl === null ? `SQLite in ${dataDir}` : 'PostgreSQL'}.`,
    `Media: ${s3 === null ? `a folder in ${dataDir}` : `the bucket ${s3.bucket}`}.`,
  ].join(' ')
