import { type Command, InvalidArgumentError, Option } from 'commander'
import { labelLanguages } from '../../contract/exports.ts'
import { colorLabels, markSources } from '../../contract/marks.ts'
import { CommandRejected } from './command-errors.ts'
import { logProgressOption } from './folder-commands.ts'
import { preferences } from './sync/decide-marks.ts'
import type { SyncCommandOptions } from './sync/run-sync.ts'

const parseWhole =
  (min: number, max: number) =>
  (text: string): number => {
    const number = Number(text)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`)
  }

export const addSync = (program: Command): Command =>
  program
    .command('sync <event> <folder>')
    .description(
      'write stars and colors from an event of a running service into the XMP sidecars of your originals; <event> is its id or slug',
    )
    .option('--url <address>', 'the address of the service (PROOFROOM_URL)')
    .option('--token <token>', 'API token for it; better: PROOFROOM_TOKEN or PROOFROOM_TOKEN_FILE')
    .addOption(new Option('--marks <source>', 'whose marks').choices(markSources).default('client'))
    .addOption(
      new Option('--prefer <side>', 'which side wins where the file and the service have both changed')
        .choices(preferences)
        .default('client'),
    )
    .addOption(new Option('--since <time>', 'only marks that have changed since the last sync').choices(['last']))
    .option('--unrated-as <stars>', 'stars for photos that are only favorites or likes', parseWhole(1, 5))
    .addOption(
      new Option('--unlabeled-as <color>', 'color for photos that are only favorites or likes').choices(colorLabels),
    )
    .addOption(
      new Option('--language <set>', 'names of the colors in your program').choices(labelLanguages).default('en'),
    )
    .option(
      '--full-names',
      'name new sidecars IMG.CR3.xmp (darktable, digiKam) instead of IMG.xmp (Adobe, Capture One)',
    )
    .option('--embed', 'also write into JPEG and DNG files themselves, where their programs look for marks')
    .option('--keywords', 'also write a keyword for each guest who has picked the photo, and remove outdated ones')
    .option('--notes', 'also write approved comments and private notes of guests into the instructions')
    .option('--push', 'the other way round: stars and colors of your files become your own marks in the service')
    .option('--dry-run', 'change nothing, and print what would be written')
    .option('--watch', 'repeat until it is stopped')
    .option('--every <seconds>', 'with --watch: the time between two syncs', parseWhole(10, 86_400), 60)
    .option('--json', 'print the report as JSON')
    .option(...logProgressOption)
    .action(async (event: string, folder: string, options: SyncCommandOptions) => {
      const { findRemoteService } = await import('./remote-service.ts')
      const service = findRemoteService(options)
      if (service === null) {
        throw new CommandRejected('Name the running service: --url and --token, or PROOFROOM_URL and PROOFROOM_TOKEN.')
      }
      const { runSync } = await import('./sync/run-sync.ts')
      await runSync(service, { event, folder }, options)
    })
