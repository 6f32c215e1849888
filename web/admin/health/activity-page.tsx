import './activity.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { omitUndefined } from '../app/search-params.ts'
import { Button, Buttons } from '../components/button.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Empty, Page } from '../components/page.tsx'
import { ActivityFilter } from './activity-filter.tsx'
import { type ActivityChanges, isFiltered, parseActivitySearch, toActivityQuery } from './activity-search.ts'
import { ActLines } from './acts.tsx'

const t = translator('health')
const route = getRouteApi('/inside/activity')

export function ActivityPage() {
  const search = parseActivitySearch(route.useSearch())
  const navigate = route.useNavigate()
  const query = useQuery({
    queryKey: ['activity', search],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/admin/activity/acts', { params: { query: toActivityQuery(search) }, signal })),
    placeholderData: keepPreviousData,
  })
  const by = search.by ?? 'guests'
  const changeSearch = (changes: ActivityChanges) =>
    void navigate({ search: omitUndefined({ ...search, before: undefined, ...changes }), replace: !changes.before })
  return (
    <Page title={t('activity')}>
      <ActivityFilter search={search} onChange={changeSearch} />
      <Loaded query={query}>
        {({ acts, next }) => (
          <>
            <p className="heard" role="status">
              {t('actionsFound', { count: acts.length })}
            </p>
            {acts.length > 0 && <ActLines acts={acts} by={by} label={t('activity')} />}
            {acts.length === 0 && !isFiltered(search) && (
              <Empty
                title={t(by === 'guests' ? 'noGuestActs' : 'noActions')}
                text={t(by === 'guests' ? 'noGuestActsText' : 'noActionsText')}
              />
            )}
            {acts.length === 0 && isFiltered(search) && (
              <Empty title={t('noSuchActions')} text={t('noSuchActionsText')}>
                <Button onClick={() => void navigate({ search: omitUndefined({ by: search.by }) })}>
                  {t('allActions')}
                </Button>
              </Empty>
            )}
            {(next !== null || search.before !== undefined) && (
              <Buttons>
                <Button
                  icon="previous"
                  disabled={search.before === undefined}
                  onClick={() => changeSearch({ before: undefined })}
                >
                  {t('newestActs')}
                </Button>
                <Button
                  icon="next"
                  disabled={next === null}
                  onClick={() => changeSearch({ before: next ?? undefined })}
                >
                  {t('olderActs')}
                </Button>
              </Buttons>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
