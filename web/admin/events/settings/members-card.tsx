import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { useMe } from '../../app/me.ts'
import { queries } from '../../app/query-client.ts'
import { CheckField } from '../../components/field.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import type { Event } from '../event-context.tsx'
import { Section } from './section.tsx'

const t = translator('events')

/** Only the owner and super admins choose the members. Each choice is saved immediately. */
export function MembersCard({ event, isLocked }: { event: Event; isLocked: boolean }) {
  const me = useMe()
  const queryKey = ['event', event.id, 'members']
  const params = { path: { event_id: event.id } }
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => unwrap(api.GET('/api/admin/events/{event_id}/members', { params, signal })),
  })
  const choose = useMutation({
    mutationFn: (user_ids: number[]) =>
      unwrap(api.PUT('/api/admin/events/{event_id}/members', { params, body: { user_ids } })),
    onSuccess: (members) => {
      queries.setQueryData<Schemas['EventMembers']>(queryKey, members)
      showNotice(t('membersSaved'))
    },
    onError: showError,
  })
  return (
    <Section id="members">
      <Loaded query={query}>
        {({ owner, members, candidates }) => {
          const canChoose = (me.role === 'super_admin' || me.id === event.created_by) && !isLocked
          const people = [...members, ...candidates].toSorted((a, b) => a.username.localeCompare(b.username))
          // Optimistic update: shows the new choice while it is saved, and the stored choice again after an error.
          const ids = choose.isPending ? choose.variables : members.map(({ id }) => id)
          const toggle = ({ id }: Schemas['Person'], isMember: boolean) =>
            choose.mutate(isMember ? [...ids, id] : ids.filter((one) => one !== id))
          return (
            <>
              <p className="help">{owner ? t('owner', { name: owner.username }) : t('noOwner')}</p>
              {people.length === 0 && <p className="help">{t('noColleagues')}</p>}
              {people.map((person) => (
                <CheckField
                  key={person.id}
                  label={person.username}
                  help={[t(`role_${person.role}`), !person.is_active && t('inactive')].filter(Boolean).join(' · ')}
                  checked={ids.includes(person.id)}
                  disabled={!canChoose}
                  onChange={({ target }) => toggle(person, target.checked)}
                />
              ))}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
