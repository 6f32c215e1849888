import { tmpdir } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import { logProgressOption } from './folder-commands.ts'
import type { BackupCommandOptions, RestoreCommandOptions, VerifyCommandOptions } from './instance-backups.ts'

const loadInstanceBackups = () => import('./instance-backups.ts')

export const addBackup = (program: Command): Command =>
  program
    .command('backup <folder>')
    .description('back up the instance, even while the service runs; copies only files that are not in the folder yet')
    .option(
      '--with-secrets',
      'include JWT_SECRET and ENCRYPTION_KEY in plain text, not encrypted with BACKUP_PASSPHRASE',
    )
    .option('--keep <count>', 'number of recent backups to keep; older backups in the folder are removed', parseCount)
    .option(...logProgressOption)
    .action(async (folder: string, options: BackupCommandOptions) => {
      const { backUpInstance } = await loadInstanceBackups()
      await backUpInstance(folder, options)
    })

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Must be a positive whole number.')
  return Number(text)
}

export const addRestore = (program: Command): Command =>
  program
    .command('restore <folder>')
    .description('restore a backup into an empty DATA_DIR, database and storage')
    .option('--backup <name>', 'name of the backup (default: the newest)')
    .option('--without-secrets', 'leave out encrypted secrets, for example if BACKUP_PASSPHRASE is lost')
    .option(...logProgressOption)
    .action(async (folder: string, options: RestoreCommandOptions) => {
      const { restoreInstance } = await loadInstanceBackups()
      await restoreInstance(folder, options)
    })

export const addVerifyBackup = (program: Command): Command =>
  program
    .command('verify-backup <folder>')
    .description('restore a backup to a temporary folder, and check its rows and files')
    .option('--backup <name>', 'name of the backup (default: the newest)')
    .option('--scratch <folder>', 'folder for the restore; needs space for the database and a few files')
    .option(...logProgressOption)
    .action(async (folder: string, { scratch = tmpdir(), ...options }: Partial<VerifyCommandOptions>) => {
      const { verifyInstanceBackup } = await loadInstanceBackups()
      await verifyInstanceBackup(folder, { ...options, scratch })
    })
