import { queryOptions, useQuery } from '@tanstack/react-query'
import { guestActs } from '../../../contract/gallery/guest-acts.ts'
import { api, unwrap } from '../api/api.ts'
import { language, translator } from '../app/language.ts'
import { useMe } from '../app/me.ts'
import { Field } from '../components/field.tsx'
import { actionLabel, listLabeledActions } from './activity-parts.tsx'
import type { ActivityChanges, ActivitySearch } from './activity-search.ts'

const t = translator('health')

/** The first 100 accounts. Only super admins may list accounts. */
const accountsQuery = queryOptions({
  queryKey: ['people', 'names'],
  queryFn: async ({ signal }) => {
    const { users } = await unwrap(api.GET('/api/admin/users', { params: { query: { limit: 100 } }, signal }))
    return users.map(({ id, username }) => ({ id, username }))
  },
  staleTime: 60_000,
})

const eventNamesQuery = queryOptions({
  queryKey: ['events', 'names'],
  queryFn: async ({ signal }) => {
    const { events } = await unwrap(api.GET('/api/admin/events', { params: { query: { limit: 100 } }, signal }))
    return events.map(({ id, event_name }) => ({ id, event_name }))
  },
  staleTime: 60_000,
})

type Props = { search: ActivitySearch; onChange: (changes: ActivityChanges) => void }

export function ActivityFilter({ search, onChange }: Props) {
  const me = useMe()
  const isSuperAdmin = me.role === 'super_admin'
  const { data: accounts = [{ id: me.id, username: me.username }] } = useQuery({
    ...accountsQuery,
    enabled: isSuperAdmin && search.by === 'accounts',
  })
  const { data: events = [] } = useQuery(eventNamesQuery)
  const userOptions = accounts.map(({ id, username }) => ({ value: String(id), label: username }))
  const eventOptions = events.map(({ id, event_name }) => ({ value: String(id), label: event_name }))
  return (
    <search className="activity-filter">
      <Field label={t('byGroup')}>
        {(control) => (
          <select
            {...control}
            value={search.by ?? 'guests'}
            onChange={({ target }) =>
              onChange({
                by: target.value === 'accounts' ? 'accounts' : undefined,
                action: undefined,
                user: undefined,
              })
            }
          >
            <option value="guests">{t('byGuests')}</option>
            <option value="accounts">{t('byAccounts')}</option>
          </select>
        )}
      </Field>
      {search.by === 'accounts' && (
        <FilterSelect
          label={t('byPerson')}
          allLabel={t('everybody')}
          options={userOptions}
          value={search.user}
          onChange={(value) => onChange({ user: value === '' ? undefined : Number(value) })}
        />
      )}
      <FilterSelect
        label={t('byEvent')}
        allLabel={t('everyEvent')}
        options={eventOptions}
        value={search.event}
        onChange={(value) => onChange({ event: value === '' ? undefined : Number(value) })}
      />
      <FilterSelect
        label={t('byKind')}
        allLabel={t('everyKind')}
        options={search.by === 'accounts' ? listActionOptions() : listGuestActOptions()}
        value={search.action}
        onChange={(value) => onChange({ action: value || undefined })}
      />
      <Field label={t('since')}>
        {(control) => (
          <input
            {...control}
            type="date"
            value={search.since ?? ''}
            onChange={({ target }) => onChange({ since: target.value || undefined })}
          />
        )}
      </Field>
    </search>
  )
}

/** Sorted by label. Most labels start with the kind of object, so actions on the same kind are next to each other. */
const listActionOptions = () =>
  listLabeledActions()
    .map((action) => ({ value: action, label: actionLabel(action) }))
    .sort((a, b) => a.label.localeCompare(b.label, language))

const listGuestActOptions = () => guestActs.map((act) => ({ value: act, label: t(`kind_${act}`) }))

type FilterSelectProps = {
  label: string
  allLabel: string
  options: Array<{ value: string; label: string }>
  value: string | number | undefined
  onChange: (value: string) => void
}

/** A selected value that is not in the options gets an option that is labeled with the value. */
function FilterSelect({ label, allLabel, options, value, onChange }: FilterSelectProps) {
  const selected = value === undefined ? '' : String(value)
  const isListed = selected === '' || options.some((option) => option.value === selected)
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={selected} onChange={({ target }) => onChange(target.value)}>
          <option value="">{allLabel}</option>
          {!isListed && <option value={selected}>{t('numbered', { id: selected })}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
