import { type Command, Option } from 'commander'
import { accountChoices } from '../picpeak/move-context.ts'
import { t } from '../platform/text/command-messages.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { AdoptOptions } from './adopt-files.ts'
import { getEnvironment } from './command-environment.ts'
import { CommandRejected } from './command-errors.ts'
import { createSameNameOption } from './decide-same-names.ts'
import type { ImportOptions } from './import-folder.ts'
import type { ImportPicPeakOptions } from './import-picpeak.ts'
import type { ShareOptions } from './share-folder.ts'
import { withAppContext } from './with-app-context.ts'

type ShareCommandOptions = ShareOptions & { yes?: boolean; url?: string; token?: string; logProgress?: boolean }

export const addShare = (program: Command): Command =>
  program
    .command('share <folder>')
    .description('help_share')
    .option('--name <name>', 'help_name')
    .option('--event <slug>', 'help_shareEvent')
    .addOption(createSameNameOption())
    .option('--type <type>', 'help_type', 'other')
    .option('--password <password>', 'help_password')
    .option('--url <address>', 'help_shareUrl')
    .option('--token <token>', 'help_shareToken')
    .option('--yes', 'help_yes')
    .option('--log-progress', 'help_logProgress')
    .action(async (folder: string, options: ShareCommandOptions) => {
      if ((options.name === undefined) === (options.event === undefined)) {
        throw new CommandRejected(t('nameOrEvent'))
      }
      const { findRemoteService } = await import('./remote-service.ts')
      const remote = findRemoteService(options)
      if (remote !== null) {
        const { shareThroughService } = await import('./share-through-service.ts')
        return shareThroughService(remote.client, folder, options)
      }
      const { shareFolder } = await import('./share-folder.ts')
      const choice = { creates: 'ask', isConfirmed: options.yes ?? false } as const
      await withAppContext(choice, (ctx) => shareFolder(ctx, folder, options))
    })

export function addImport(program: Command): Command {
  const command = addFolderImport(program)
  addPicPeakImport(command)
  return command
}

const addFolderImport = (program: Command): Command =>
  program
    .command('import [folder]')
    .description('help_import')
    .option('--event <slug>', 'help_importEvent')
    .addOption(new Option('--folders <what>', 'help_folders').choices(['events', 'categories']))
    .option('--type <type>', 'help_importType', 'other')
    .addOption(createSameNameOption())
    .option('--log-progress', 'help_logProgress')
    .action(async (folder: string | undefined, options: ImportOptions, command: Command) => {
      if (folder === undefined) return command.error(t('folderMissing'))
      rejectRemote('import')
      if (options.event !== undefined && options.folders === 'events') {
        throw new CommandRejected(t('foldersOrEvent'))
      }
      const { importFolder } = await import('./import-folder.ts')
      await withAppContext({ creates: 'never' }, (ctx) => importFolder(ctx, folder, options))
    })

const addPicPeakImport = (command: Command): Command =>
  command
    .command('picpeak <source>')
    .description('help_picpeak')
    .option('--storage <place>', 'help_storage')
    .option('--external-media <folder>', 'help_externalMedia')
    .option('--dry-run', 'help_picpeakDryRun')
    .addOption(new Option('--accounts <how>', 'help_accounts').choices(accountChoices).default('keep'))
    .option('--link', 'help_link')
    .option('--json', 'help_json')
    .option('--log-progress', 'help_logProgress')
    .action(async (source: string, options: ImportPicPeakOptions) => {
      rejectRemote('import')
      const { importPicPeak } = await import('./import-picpeak.ts')
      const move = (ctx: AppContext) => importPicPeak(ctx, source, options)
      if (options.dryRun) {
        const { withDryRunContext } = await import('./dry-run-context.ts')
        return withDryRunContext(move)
      }
      // With `keep`, the accounts of PicPeak keep their roles. Otherwise, the service creates the first account.
      await withAppContext({ creates: 'ask', isConfirmed: true, createsFirstAdmin: options.accounts !== 'keep' }, move)
    })

export const addAdopt = (program: Command): Command =>
  program
    .command('adopt [files...]')
    .description('help_adopt')
    .option('--all', 'help_all')
    .option('--event <slug>', 'help_adoptEvent')
    .action(async (files: string[], options: AdoptOptions) => {
      rejectRemote('adopt')
      const { adoptFiles } = await import('./adopt-files.ts')
      await withAppContext({ creates: 'never' }, (ctx) => adoptFiles(ctx, files, options))
    })

/** Throws CommandRejected: with PROOFROOM_URL, the operator means another instance than that of DATA_DIR. */
function rejectRemote(name: string): void {
  if (!getEnvironment().PROOFROOM_URL) return
  throw new CommandRejected(t('onlyLocal', { command: name }))
}
