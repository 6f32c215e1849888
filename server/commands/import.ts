import type { Command } from 'commander'
import type { ImportOptions } from './import-folder.ts'
import { withAppContext } from './with-app-context.ts'

export const addImport = (program: Command): Command =>
  program
    .command('import <folder>')
    .description('import the files of a folder once; folders in it become categories')
    .option('--event <slug>', 'the event; without it each folder in the folder is named by the slug of its event')
    .action(async (folder: string, options: ImportOptions) => {
      const { importFolder } = await import('./import-folder.ts')
      await withAppContext((ctx) => importFolder(ctx, folder, options))
    })
