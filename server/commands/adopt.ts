import type { Command } from 'commander'
import type { AdoptOptions } from './adopt-files.ts'
import { withAppContext } from './with-app-context.ts'

export const addAdopt = (program: Command): Command =>
  program
    .command('adopt [files...]')
    .description('list the originals that were set aside in lost+found, or make photos of them again')
    .option('--all', 'all that are listed')
    .option('--event <slug>', 'into this event, not the one that each has come from')
    .action(async (files: string[], options: AdoptOptions) => {
      const { adoptFiles } = await import('./adopt-files.ts')
      await withAppContext((ctx) => adoptFiles(ctx, files, options))
    })
