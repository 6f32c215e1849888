import type { Command } from 'commander'
import type { AdoptOptions } from './adopt-files.ts'
import type { ImportOptions } from './import-folder.ts'
import type { ShareOptions } from './share-folder.ts'
import { withAppContext } from './with-app-context.ts'

export const addShare = (program: Command): Command =>
  program
    .command('share <folder>')
    .description('create an event from the pictures of a folder and print its link')
    .requiredOption('--name <name>', 'name of the event')
    .option('--type <type>', 'type of the event', 'other')
    .option('--password <password>', 'guests need this password beside the link')
    .action(async (folder: string, options: ShareOptions) => {
      const { shareFolder } = await import('./share-folder.ts')
      await withAppContext((ctx) => shareFolder(ctx, folder, options))
    })

export const addImport = (program: Command): Command =>
  program
    .command('import <folder>')
    .description('import the files of a folder once; folders in it become categories')
    .option('--event <slug>', 'the event; without it each folder in the folder is named by the slug of its event')
    .action(async (folder: string, options: ImportOptions) => {
      const { importFolder } = await import('./import-folder.ts')
      await withAppContext((ctx) => importFolder(ctx, folder, options))
    })

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
