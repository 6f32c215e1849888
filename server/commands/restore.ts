import type { Command } from 'commander'
import type { RestoreResult } from '../backups/restore-backup.ts'
import { readConfig } from '../platform/config.ts'

type Options = { backup?: string }

export const addRestore = (program: Command): Command =>
  program
    .command('restore <folder>')
    .description('restore a backup into an empty DATA_DIR, database and storage')
    .option('--backup <name>', 'another one than the newest')
    .action(async (folder: string, { backup: name }: Options) => {
      const { restoreInstance } = await import('./restore-instance.ts')
      const { reportExpectedErrors } = await import('./report-expected-errors.ts')
      const { createProgressBar } = await import('./progress-bar.ts')
      await reportExpectedErrors(async () => {
        const bar = createProgressBar('files')
        const onProgress = (now: { files: number; totalFiles: number }) => bar.show(now.files, now.totalFiles, '')
        printResult(await restoreInstance(readConfig(process.env), { folder, name, onProgress }).finally(bar.end))
      })
    })

function printResult({ path, files, unreadable, secrets }: RestoreResult & { secrets: string | null }): void {
  console.log(`${path} is restored: all rows and ${files} files.`)
  if (secrets) console.log(secrets)
  if (unreadable.length === 0) return
  console.error(`${unreadable.length} files could not be read from the backup:`)
  for (const key of unreadable) console.error(`  ${key}`)
  process.exitCode = 1
}
