import { tmpdir } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'

const loadInstanceBackups = () => import('./instance-backups.ts')

export const addBackup = (program: Command): Command =>
  program
    .command('backup <folder>')
    .description('make a backup beside the running service; copies only what is not in the folder yet')
    .option('--with-secrets', 'also JWT_SECRET and ENCRYPTION_KEY, readable')
    .option('--keep <count>', 'remove all backups in the folder but the newest', parseCount)
    .action(async (folder: string, options: { withSecrets?: boolean; keep?: number }) => {
      const { backUpInstance } = await loadInstanceBackups()
      await backUpInstance(folder, options)
    })

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return Number(text)
}

export const addRestore = (program: Command): Command =>
  program
    .command('restore <folder>')
    .description('restore a backup into an empty DATA_DIR, database and storage')
    .option('--backup <name>', 'another one than the newest')
    .action(async (folder: string, { backup: name }: { backup?: string }) => {
      const { restoreInstance } = await loadInstanceBackups()
      await restoreInstance(folder, name)
    })

export const addVerifyBackup = (program: Command): Command =>
  program
    .command('verify-backup <folder>')
    .description('restore a backup for a trial, and compare its rows and files')
    .option('--backup <name>', 'another one than the newest')
    .option('--scratch <folder>', 'where to restore; room for the database and some files at a time')
    .action(async (folder: string, { backup: name, scratch = tmpdir() }: { backup?: string; scratch?: string }) => {
      const { verifyInstanceBackup } = await loadInstanceBackups()
      await verifyInstanceBackup(folder, name, scratch)
    })
