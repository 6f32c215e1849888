import type { Command } from 'commander'
import type { AdoptOptions } from './adopt-files.ts'
import type { ImportOptions } from './import-folder.ts'
import type { ShareOptions } from './share-folder.ts'
import { withAppContext } from './with-app-context.ts'

export const addShare = (program: Command): Command =>
  program
    .command('share <folder>')
    .description('create an event from the photos in a folder and print its link')
    .requiredOption('--name <name>', 'name of the event')
    .option('--type <type>', 'type of the event', 'other')
    .option('--password <password>', 'password that guests must enter')
    .action(async (folder: string, options: ShareOptions) => {
      const { shareFolder } = await import('./share-folder.ts')
      await withAppContext((ctx) => shareFolder(ctx, folder, options))
    })

export const addImport = (program: Command): Command =>
  program
    .command('import <folder>')
    .description('import the files in a folder once; subfolders become categories')
    .option(
      '--event <slug>',
      'slug of the target event; by default, the name of each subfolder is the slug of its event',
    )
    .action(async (folder: string, options: ImportOptions) => {
      const { importFolder } = await import('./import-folder.ts')
      await withAppContext((ctx) => importFolder(ctx, folder, options))
    })

export const addAdopt = (program: Command): Command =>
  program
    .command('adopt [files...]')
    .description('list the originals in quarantine (lost+found), or adopt them as photos again')
    .option('--all', 'adopt all listed originals')
    .option('--event <slug>', 'adopt them into the event with this slug instead of their own')
    .action(async (files: string[], options: AdoptOptions) => {
      const { adoptFiles } = await import('./adopt-files.ts')
      await withAppContext((ctx) => adoptFiles(ctx, files, options))
    })
