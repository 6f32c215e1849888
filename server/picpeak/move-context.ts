import type { AppContext } from '../settings/app-context.ts'
import type { AddDifference } from './move-report.ts'
import type { MovedRows } from './moved-rows.ts'
import type { PicPeakSource } from './picpeak-source.ts'
import type { KeepsId } from './target-ids.ts'

/**
 * `keep`: accounts and API tokens keep their roles and scopes. `editors`: every account becomes an editor, and every
 * scope at most `write`. `none`: no accounts, API tokens and webhooks are moved.
 */
export const accountChoices = ['keep', 'editors', 'none'] as const
export type AccountChoice = (typeof accountChoices)[number]

/** What all parts of one import need. */
export type Move = {
  ctx: AppContext
  source: PicPeakSource
  moved: MovedRows
  add: AddDifference
  /** Whether ids of events, photos and categories stay as they are in the source. Only an empty instance allows it. */
  keepsIds: boolean
  /** Always false without `keepsIds`. */
  keepsId: KeepsId
  accounts: AccountChoice
}
