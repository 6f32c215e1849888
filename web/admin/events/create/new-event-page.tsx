import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Loaded } from '../../components/loaded.tsx'
import { showNotice } from '../../components/notices.tsx'
import { Empty, Page } from '../../components/page.tsx'
import { eventDefaultsQuery } from '../event-queries.ts'
import { NewEventForm } from './new-event-form.tsx'

const t = translator('events')

export function NewEventPage() {
  const hasPermission = useHasPermission()
  const navigate = useNavigate()
  const query = useQuery({ ...eventDefaultsQuery, enabled: hasPermission('events.create') })
  if (!hasPermission('events.create')) {
    return (
      <Page title={t('newEvent')}>
        <Empty title={t('mayNot')} text={t('noEventsForMe')} />
      </Page>
    )
  }
  return (
    <Page title={t('newEvent')} isNarrow breadcrumb={<Link to="/events">{t('all')}</Link>}>
      <Loaded query={query}>
        {(defaults) => (
          <NewEventForm
            defaults={defaults}
            onCreated={async ({ id, isDraft }) => {
              await navigate({ to: '/events/$eventId', params: { eventId: String(id) } })
              showNotice(isDraft ? t('createdDraft') : t('created'))
            }}
          />
        )}
      </Loaded>
    </Page>
  )
}
