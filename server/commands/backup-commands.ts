import { tmpdir } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import { t } from '../platform/text/command-messages.ts'
import type { BackupCommandOptions, RestoreCommandOptions, VerifyCommandOptions } from './instance-backups.ts'

const loadInstanceBackups = () => import('./instance-backups.ts')

export const addBackup = (program: Command): Command =>
  program
    .command('backup <folder>')
    .description('help_backup')
    .option('--with-secrets', 'help_withSecrets')
    .option('--keep <count>', 'help_keep', parseCount)
    .option('--log-progress', 'help_logProgress')
    .action(async (folder: string, options: BackupCommandOptions) => {
      const { backUpInstance } = await loadInstanceBackups()
      await backUpInstance(folder, options)
    })

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError(t('notPositive'))
  return Number(text)
}

export const addRestore = (program: Command): Command =>
  program
    .command('restore <folder>')
    .description('help_restore')
    .option('--backup <name>', 'help_backupName')
    .option('--without-secrets', 'help_withoutSecrets')
    .option('--log-progress', 'help_logProgress')
    .action(async (folder: string, options: RestoreCommandOptions) => {
      const { restoreInstance } = await loadInstanceBackups()
      await restoreInstance(folder, options)
    })

export const addVerifyBackup = (program: Command): Command =>
  program
    .command('verify-backup <folder>')
    .description('help_verifyBackup')
    .option('--backup <name>', 'help_backupName')
    .option('--scratch <folder>', 'help_scratch')
    .option('--log-progress', 'help_logProgress')
    .action(async (folder: string, { scratch = tmpdir(), ...options }: Partial<VerifyCommandOptions>) => {
      const { verifyInstanceBackup } = await loadInstanceBackups()
      await verifyInstanceBackup(folder, { ...options, scratch })
    })
