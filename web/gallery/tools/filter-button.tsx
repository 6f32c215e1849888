import { Icon } from '../parts/icon.tsx'
import { openDialog } from '../parts/open-dialog.tsx'
import { t } from '../state/page.ts'
import { endEntrySeries } from './navigate-to-query.ts'

export const FilterButton = ({ count }: { count: number }) => (
  <button
    type="button"
    class="chip filter-opener"
    aria-haspopup="dialog"
    aria-label={count > 0 ? t('filtersOn', { count }) : t('filters')}
    onClick={openFilters}
  >
    <Icon name="filter" />
    <span class="word">{t('filters')}</span>
    {count > 0 && <b class="count">{count}</b>}
  </button>
)

async function openFilters(): Promise<void> {
  endEntrySeries()
  await openDialog(async () => (await import('./filter-sheet.tsx')).FilterSheet, {})
  endEntrySeries()
}
