import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { translator } from '../../app/language.ts'
import { Icon } from '../../components/icon.tsx'
import { eventTypesQuery } from '../event-queries.ts'
import { type EventOrder, type EventsSearch, eventOrders, eventStates } from '../events-search.ts'
import { typeLabel } from '../type-labels.ts'

const t = translator('events')

const searchDelayMs = 250

type Props = { search: EventsSearch; onChange: (changes: EventsSearch) => void }

export function EventsToolbar({ search, onChange }: Props) {
  const { data: types = [] } = useQuery(eventTypesQuery)
  const orders = Object.keys(eventOrders) as EventOrder[]
  return (
    <search className="events-toolbar">
      <SearchField search={search.search ?? ''} onChange={(text) => onChange({ search: text || undefined })} />
      <select
        aria-label={t('filterState')}
        value={search.status ?? ''}
        onChange={({ target }) => onChange({ status: target.value || undefined })}
      >
        <option value="">{t('allStates')}</option>
        {eventStates.map((state) => (
          <option key={state} value={state}>
            {t(`state_${state}`)}
          </option>
        ))}
      </select>
      <select
        aria-label={t('filterType')}
        value={search.type ?? ''}
        onChange={({ target }) => onChange({ type: target.value || undefined })}
      >
        <option value="">{t('allTypes')}</option>
        {types.map((type) => (
          <option key={type.slug_prefix} value={type.slug_prefix}>
            {typeLabel(type)}
          </option>
        ))}
      </select>
      <select
        aria-label={t('order')}
        value={search.sort ?? 'newest'}
        onChange={({ target }) => onChange({ sort: target.value === 'newest' ? undefined : target.value })}
      >
        {orders.map((order) => (
          <option key={order} value={order}>
            {t(`order_${order}`)}
          </option>
        ))}
      </select>
    </search>
  )
}

/** Updates the address with a delay after typing, and the field when the address changes. */
function SearchField({ search, onChange }: { search: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(search)
  useEffect(() => setText(search), [search])
  useEffect(() => {
    if (text.trim() === search) return
    const timer = setTimeout(() => onChange(text.trim()), searchDelayMs)
    return () => clearTimeout(timer)
  })
  return (
    <div className="events-search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={text}
        maxLength={200}
        onChange={({ target }) => setText(target.value)}
      />
    </div>
  )
}
