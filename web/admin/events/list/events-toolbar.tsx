import { useQuery } from '@tanstack/react-query'
import { translator } from '../../app/language.ts'
import { IconButton } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { useTypedSearch } from '../../components/use-typed-search.ts'
import { eventTypesQuery } from '../event-queries.ts'
import { type EventOrder, type EventsSearch, eventOrders, eventStates } from '../events-search.ts'
import { typeLabel } from '../type-labels.ts'
import { type EventsView, eventsViews } from './events-view.ts'

const t = translator('events')

export function EventsToolbar({
  search,
  view,
  onChange,
  onView,
}: {
  search: EventsSearch
  view: EventsView
  onChange: (changes: EventsSearch) => void
  onView: (view: EventsView) => void
}) {
  const { data: types = [] } = useQuery(eventTypesQuery)
  const orders = Object.keys(eventOrders) as EventOrder[]
  return (
    <search className="events-toolbar">
      <SearchField search={search.search ?? ''} onChange={(text) => onChange({ search: text || undefined })} />
      <Select
        label={t('filterState')}
        value={search.status ?? ''}
        onChange={(status) => onChange({ status: status || undefined })}
        options={[['', t('allStates')], ...eventStates.map((state) => [state, t(`state_${state}`)] as const)]}
      />
      <Select
        label={t('filterType')}
        value={search.type ?? ''}
        onChange={(type) => onChange({ type: type || undefined })}
        options={[['', t('allTypes')], ...types.map((type) => [type.slug_prefix, typeLabel(type)] as const)]}
      />
      <Select
        label={t('order')}
        value={search.sort ?? 'newest'}
        onChange={(sort) => onChange({ sort: sort === 'newest' ? undefined : sort })}
        options={orders.map((order) => [order, t(`order_${order}`)])}
      />
      <fieldset className="events-views">
        <legend className="heard">{t('view')}</legend>
        {eventsViews.map((one) => (
          <IconButton
            key={one}
            icon={one === 'covers' ? 'photos' : 'menu'}
            label={t(`view_${one}`)}
            aria-pressed={view === one}
            onClick={() => onView(one)}
          />
        ))}
      </fieldset>
    </search>
  )
}

type SelectProps = {
  label: string
  value: string
  onChange: (value: string) => void
  options: ReadonlyArray<readonly [value: string, text: string]>
}

const Select = ({ label, value, onChange, options }: SelectProps) => (
  <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
    {options.map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
)

function SearchField({ search, onChange }: { search: string; onChange: (text: string) => void }) {
  const field = useTypedSearch(search, onChange)
  return (
    <div className="events-search">
      <Icon name="search" />
      <input type="search" aria-label={t('search')} placeholder={t('search')} maxLength={200} {...field} />
    </div>
  )
}
