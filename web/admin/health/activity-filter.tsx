import { useQuery } from '@tanstack/react-query'
import { language, translator } from '../desk/language.ts'
import { useMe } from '../desk/me.ts'
import { Field } from '../parts/field.tsx'
import { accountsQuery, eventNamesQuery } from './activity-query.ts'
import type { ActivitySearch } from './activity-search.ts'
import { actionLabel, listLabeledActions } from './activity-words.ts'

const t = translator('health')

type Props = {
  search: ActivitySearch
  onChange: (changes: { [K in keyof ActivitySearch]: ActivitySearch[K] | undefined }) => void
}

export function ActivityFilter({ search, onChange }: Props) {
  const me = useMe()
  const isSuperAdmin = me.role === 'super_admin'
  const { data: accounts = [{ id: me.id, username: me.username }] } = useQuery({
    ...accountsQuery,
    enabled: isSuperAdmin,
  })
  const { data: events = [] } = useQuery(eventNamesQuery)
  const people = accounts.map(({ id, username }) => ({ value: String(id), label: username }))
  const places = events.map(({ id, event_name }) => ({ value: String(id), label: event_name }))
  return (
    <search className="activity-filter">
      <Choice
        label={t('byPerson')}
        all={t('everybody')}
        options={people}
        value={search.user}
        onChange={(value) => onChange({ user: value === '' ? undefined : Number(value) })}
      />
      <Choice
        label={t('byEvent')}
        all={t('everyEvent')}
        options={places}
        value={search.event}
        onChange={(value) => onChange({ event: value === '' ? undefined : Number(value) })}
      />
      <Choice
        label={t('byKind')}
        all={t('everyKind')}
        options={kinds()}
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

/** Sorted by label, so that actions on the same kind of object are next to each other. */
const kinds = () =>
  listLabeledActions()
    .map((action) => ({ value: action, label: actionLabel(action) }))
    .sort((a, b) => a.label.localeCompare(b.label, language))

type ChoiceProps = {
  label: string
  all: string
  options: Array<{ value: string; label: string }>
  value: string | number | undefined
  onChange: (value: string) => void
}

/** A value of the address that is not in the list is shown by its number. */
function Choice({ label, all, options, value, onChange }: ChoiceProps) {
  const chosen = value === undefined ? '' : String(value)
  const isListed = chosen === '' || options.some((option) => option.value === chosen)
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={chosen} onChange={({ target }) => onChange(target.value)}>
          <option value="">{all}</option>
          {!isListed && <option value={chosen}>{t('numbered', { id: chosen })}</option>}
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
