import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { BackupResult } from '../backups/make-backup.ts'
import { readConfig } from '../platform/config.ts'
import { withAppContext } from './with-app-context.ts'

type Options = { withSecrets?: boolean; keep?: number }

export const addBackup = (program: Command): Command =>
  program
    .command('backup <folder>')
    .description('make a backup beside the running service; copies only what is not in the folder yet')
    .option('--with-secrets', 'also JWT_SECRET and ENCRYPTION_KEY, readable')
    .option('--keep <count>', 'remove all backups in the folder but the newest', parseCount)
    .action(async (folder: string, { withSecrets = false, keep }: Options) => {
      const { makeBackup } = await import('../backups/make-backup.ts')
      const { reportExpectedErrors } = await import('./report-expected-errors.ts')
      const { createProgressBar } = await import('./progress-bar.ts')
      const { migrations } = await import('../migrations/migrations.ts')
      const { assertInstance } = await import('./backup-instance.ts')
      await reportExpectedErrors(async () => {
        assertInstance(readConfig(process.env))
        await withAppContext(async (ctx) => {
          const bar = createProgressBar('files')
          const onProgress = (now: { files: number; totalFiles: number }) => bar.show(now.files, now.totalFiles, '')
          printResult(await makeBackup(ctx, { folder, withSecrets, keep, migrations, onProgress }).finally(bar.end))
        })
      })
    })

function printResult({ path, manifest, copiedBytes, removed }: BackupResult): void {
  const { count, size_bytes, missing, damaged, deleted } = manifest.files
  console.log(`${path}: ${count} files (${size_bytes} bytes, ${copiedBytes} of them new).`)
  if (removed.length > 0) console.log(`Removed: ${removed.join(', ')}`)
  if (deleted > 0) console.log(`${deleted} files were deleted by their users meanwhile.`)
  if (missing > 0) console.error(`${missing} files are missing from the storage and from the backup: see files.jsonl.`)
  if (damaged > 0)
    console.error(`${damaged} files are not what they were when they came; copied as they are: see files.jsonl.`)
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return Number(text)
}
