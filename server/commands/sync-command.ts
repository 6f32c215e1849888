import { type Command, InvalidArgumentError, Option } from 'commander'
import { labelLanguages } from '../../contract/exports.ts'
import { colorLabels, markSources } from '../../contract/marks.ts'
import { t } from '../platform/text/command-messages.ts'
import { CommandRejected } from './command-errors.ts'
import { preferences } from './sync/decide-marks.ts'
import type { SyncCommandOptions } from './sync/run-sync.ts'

const parseWhole =
  (min: number, max: number) =>
  (text: string): number => {
    const number = Number(text)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    throw new InvalidArgumentError(t('notInRange', { min, max }))
  }

export const addSync = (program: Command): Command =>
  program
    .command('sync <event> <folder>')
    .description('help_sync')
    .option('--url <address>', 'help_syncUrl')
    .option('--token <token>', 'help_syncToken')
    .addOption(new Option('--marks <source>', 'help_marks').choices(markSources).default('client'))
    .addOption(new Option('--prefer <side>', 'help_prefer').choices(preferences).default('client'))
    .addOption(new Option('--since <time>', 'help_since').choices(['last']))
    .option('--selection <id>', 'help_selection', parseWhole(1, Number.MAX_SAFE_INTEGER))
    .option('--unrated-as <stars>', 'help_unratedAs', parseWhole(1, 5))
    .addOption(new Option('--unlabeled-as <color>', 'help_unlabeledAs').choices(colorLabels))
    .addOption(new Option('--language <set>', 'help_language').choices(labelLanguages).default('en'))
    .option('--full-names', 'help_fullNames')
    .option('--embed', 'help_embed')
    .option('--keywords', 'help_keywords')
    .option('--notes', 'help_notes')
    .option('--push', 'help_push')
    .option('--dry-run', 'help_syncDryRun')
    .option('--watch', 'help_watch')
    .option('--every <seconds>', 'help_every', parseWhole(10, 86_400), 60)
    .option('--json', 'help_json')
    .option('--log-progress', 'help_logProgress')
    .action(async (event: string, folder: string, options: SyncCommandOptions) => {
      const { findRemoteService } = await import('./remote-service.ts')
      const service = findRemoteService(options)
      if (service === null) {
        throw new CommandRejected(t('serviceUnnamed'))
      }
      const { runSync } = await import('./sync/run-sync.ts')
      await runSync(service, { event, folder }, options)
    })
