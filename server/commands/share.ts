import type { Command } from 'commander'
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
