import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { sayIn } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { Loaded } from '../parts/loaded.tsx'
import { tell } from '../parts/notices.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { eventDefaultsQuery } from './event-query.ts'
import { NewEventForm } from './new-event-form.tsx'

const say = sayIn('events')

export function NewEventPage() {
  const may = useMay()
  const navigate = useNavigate()
  const query = useQuery({ ...eventDefaultsQuery, enabled: may('events.create') })
  if (!may('events.create')) {
    return (
      <Page title={say('newEvent')}>
        <Empty title={say('mayNot')} text={say('noEventsForMe')} />
      </Page>
    )
  }
  return (
    <Page title={say('newEvent')} isNarrow above={<Link to="/events">{say('all')}</Link>}>
      <Loaded query={query}>
        {(defaults) => (
          <NewEventForm
            defaults={defaults}
            onCreated={async ({ id, isDraft }) => {
              await navigate({ to: '/events/$eventId', params: { eventId: String(id) } })
              tell(isDraft ? say('createdDraft') : say('created'))
            }}
          />
        )}
      </Loaded>
    </Page>
  )
}
