import { type Command, Option } from 'commander'
import { accountChoices } from '../picpeak/move-context.ts'
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

export const logProgressOption = [
  '--log-progress',
  'print the progress as lines on stderr where there is no terminal',
] as const

export const addShare = (program: Command): Command =>
  program
    .command('share <folder>')
    .description('create an event from the photos in a folder, or add them to one, and print its link')
    .option('--name <name>', 'name of the event to create')
    .option('--event <slug>', 'slug of the event that gets the photos; content that it has is not sent again')
    .addOption(createSameNameOption())
    .option('--type <type>', 'type of the event', 'other')
    .option('--password <password>', 'password that guests must enter')
    .option('--url <address>', 'work through the running service at this address (PROOFROOM_URL)')
    .option(
      '--token <token>',
      'API token for it, with the scope write; better: PROOFROOM_TOKEN or PROOFROOM_TOKEN_FILE',
    )
    .option('--yes', 'create new data if there are none yet')
    .option(...logProgressOption)
    .action(async (folder: string, options: ShareCommandOptions) => {
      if ((options.name === undefined) === (options.event === undefined)) {
        throw new CommandRejected('Name a new event with --name, or choose one with --event.')
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
    .description('import the files in a folder or ZIP once; subfolders become categories')
    .option(
      '--event <slug>',
      'slug of the target event; by default, the name of each subfolder is the slug of its event',
    )
    .addOption(
      new Option(
        '--folders <what>',
        'create drafts: an event of each subfolder (events), or one event whose categories are the subfolders (categories)',
      ).choices(['events', 'categories']),
    )
    .option('--type <type>', 'type of the events that are created', 'other')
    .addOption(createSameNameOption())
    .option(...logProgressOption)
    .action(async (folder: string | undefined, options: ImportOptions, command: Command) => {
      if (folder === undefined) return command.error('error: missing required argument folder')
      rejectRemote('import')
      if (options.event !== undefined && options.folders === 'events') {
        throw new CommandRejected('--folders events creates an event of each folder. Leave out --event.')
      }
      const { importFolder } = await import('./import-folder.ts')
      await withAppContext({ creates: 'never' }, (ctx) => importFolder(ctx, folder, options))
    })

const addPicPeakImport = (command: Command): Command =>
  command
    .command('picpeak <source>')
    .description(
      'move a PicPeak installation in, or what is new in it; <source> is its data folder, its database file, a .picpeak export, or postgres://…',
    )
    .option(
      '--storage <place>',
      'the storage folder of PicPeak, if it is not beside the database, or its bucket: s3://bucket/prefix, with PICPEAK_S3_…',
    )
    .option('--external-media <folder>', 'the folder of photos that PicPeak only refers to (EXTERNAL_MEDIA_ROOT)')
    .option('--dry-run', 'read everything, change nothing, and print what would be moved, and who could sign in')
    .addOption(
      new Option(
        '--accounts <how>',
        'accounts and API tokens of PicPeak: with their roles and scopes (keep), for your own PicPeak; as editors, without the scope admin (editors); or none, and no webhooks (none)',
      )
        .choices(accountChoices)
        .default('keep'),
    )
    .option('--link', 'make hard links to the originals instead of copies, where both are on one file system')
    .option('--json', 'print the report as JSON')
    .option(...logProgressOption)
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
    .description('list the originals in quarantine (lost+found), or adopt them as photos again')
    .option('--all', 'adopt all listed originals')
    .option('--event <slug>', 'adopt them into the event with this slug instead of their own')
    .action(async (files: string[], options: AdoptOptions) => {
      rejectRemote('adopt')
      const { adoptFiles } = await import('./adopt-files.ts')
      await withAppContext({ creates: 'never' }, (ctx) => adoptFiles(ctx, files, options))
    })

/** Throws CommandRejected: with PROOFROOM_URL, the operator means another instance than that of DATA_DIR. */
function rejectRemote(name: string): void {
  if (!getEnvironment().PROOFROOM_URL) return
  throw new CommandRejected(
    `PROOFROOM_URL is set, but ${name} works on DATA_DIR, on the machine of the service. Unset PROOFROOM_URL.`,
  )
}
