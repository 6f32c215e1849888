import './activity.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { translator } from '../app/language.ts'
import { Button } from '../components/button.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Empty, Page } from '../components/page.tsx'
import { Pagination } from '../components/pagination.tsx'
import { ActivityFilter } from './activity-filter.tsx'
import { activityQuery } from './activity-query.ts'
import { type ActivitySearch, isFiltered, omitUndefined, parseActivitySearch } from './activity-search.ts'
import { ActivityTable } from './activity-table.tsx'

const t = translator('health')
const route = getRouteApi('/inside/activity')

export function ActivityPage() {
  const search = parseActivitySearch(route.useSearch())
  const navigate = route.useNavigate()
  const query = useQuery(activityQuery(search))
  const changeSearch = (changes: { [K in keyof ActivitySearch]: ActivitySearch[K] | undefined }) =>
    void navigate({ search: omitUndefined({ ...search, page: undefined, ...changes }), replace: !changes.page })
  return (
    <Page title={t('activity')}>
      <ActivityFilter search={search} onChange={changeSearch} />
      <Loaded query={query}>
        {({ activity, pagination: { page, pages, total } }) => (
          <>
            <p className="heard" role="status">
              {t('actionsFound', { count: total })}
            </p>
            {activity.length > 0 && <ActivityTable records={activity} />}
            {activity.length === 0 && !isFiltered(search) && <Empty title={t('noActions')} text={t('noActionsText')} />}
            {activity.length === 0 && isFiltered(search) && (
              <Empty title={t('noSuchActions')} text={t('noSuchActionsText')}>
                <Button onClick={() => void navigate({ search: {} })}>{t('allActions')}</Button>
              </Empty>
            )}
            <Pagination page={page} pages={pages} onPage={(to) => changeSearch({ page: to })} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
