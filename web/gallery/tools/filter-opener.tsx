import { Icon } from '../parts/icon.tsx'
import { openOver } from '../parts/open-over.tsx'
import { say } from '../state/page.ts'
import { endStep } from './address.ts'

export const FilterOpener = ({ count }: { count: number }) => (
  <button
    type="button"
    class="chip filter-opener"
    aria-haspopup="dialog"
    aria-label={count > 0 ? say('filtersOn', { count }) : say('filters')}
    onClick={openFilters}
  >
    <Icon name="filter" />
    <span class="word">{say('filters')}</span>
    {count > 0 && <b class="count">{count}</b>}
  </button>
)

async function openFilters(): Promise<void> {
  endStep()
  await openOver(async () => (await import('./filter-sheet.tsx')).FilterSheet, {})
  endStep()
}
