import { tmpdir } from 'node:os'
import type { Command } from 'commander'
import { readConfig } from '../platform/config.ts'

type Options = { backup?: string; scratch?: string }

export const addVerifyBackup = (program: Command): Command =>
  program
    .command('verify-backup <folder>')
    .description('restore a backup for a trial, and compare its rows and files')
    .option('--backup <name>', 'another one than the newest')
    .option('--scratch <folder>', 'where to restore; room for the database and some files at a time')
    .action(async (folder: string, { backup: name, scratch = tmpdir() }: Options) => {
      const { verifyBackup } = await import('../backups/verify-backup.ts')
      const { reportExpectedErrors } = await import('./report-expected-errors.ts')
      const { createProgressBar } = await import('./progress-bar.ts')
      const { migrations } = await import('../migrations/migrations.ts')
      const { recordInstanceVerification } = await import('./backup-instance.ts')
      await reportExpectedErrors(async () => {
        const bar = createProgressBar('files')
        const onProgress = (now: { files: number; totalFiles: number }) => bar.show(now.files, now.totalFiles, '')
        const found = await verifyBackup({ folder, name, scratch, migrations, onProgress }).finally(bar.end)
        const { path, manifest, files, problemCount, problems } = found
        for (const problem of problems) console.error(problem)
        if (problemCount > problems.length) console.error(`and ${problemCount - problems.length} more`)
        const { missing, damaged } = manifest.files
        if (missing + damaged > 0)
          console.log(`When it was made, ${missing} files were missing and ${damaged} damaged.`)
        if (problemCount > 0) process.exitCode = 1
        else console.log(`${path} can be restored: all rows and ${files} files are as they were.`)
        await recordInstanceVerification(readConfig(process.env), manifest.name, problemCount)
      })
    })
