import './trash.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Button } from '../../components/button.tsx'
import { formatDay } from '../../components/format-time.ts'
import { Loaded } from '../../components/loaded.tsx'
import { showError } from '../../components/notices.tsx'
import { Empty, Page } from '../../components/page.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { Table } from '../../components/table.tsx'
import { useTypeLabels } from '../type-labels.ts'
import { deleteTrashedEvent, emptyEventTrash, restoreTrashedEvent } from './restore-events.ts'
import { formatDaysLeft, formatTotal, type TrashedEvent, trashedEventsQuery } from './trash-queries.ts'

const t = translator('trash')
const tEvents = translator('events')

export function EventTrashPage() {
  const canDelete = useHasPermission()('events.delete')
  const [page, setPage] = useState(1)
  const query = useQuery(trashedEventsQuery(page))
  const mutation = useMutation({ mutationFn: (action: () => Promise<unknown>) => action(), onError: showError })
  const { isPending } = mutation
  const run = (action: () => Promise<unknown>) => () => !isPending && mutation.mutate(action)
  const isEmpty = query.data?.pagination.total === 0
  return (
    <Page
      title={t('title')}
      breadcrumb={
        <div className="event-facts">
          <Link to="/events">{tEvents('all')}</Link>
        </div>
      }
      actions={
        canDelete &&
        !isEmpty && (
          <Button icon="trash" isBusy={isPending} onClick={run(emptyEventTrash)}>
            {t('emptyTrash')}
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ events, pagination: { pages } }) =>
          events.length === 0 ? (
            <Empty title={t('empty')} text={t('emptyEventsText')} />
          ) : (
            <div className="trash trash-events">
              <p className="quiet-text">{t('eventsText')}</p>
              <Table
                caption={tEvents('events')}
                rows={events}
                rowKey={({ id }) => id}
                columns={[
                  { head: tEvents('event'), cell: (event) => <Name event={event} /> },
                  {
                    head: tEvents('photos'),
                    isWideOnly: true,
                    cell: formatTotal,
                  },
                  { head: t('timeLeft'), cell: ({ deletes_at }) => formatDaysLeft(deletes_at) },
                  {
                    head: tEvents('actions'),
                    isHeadHidden: true,
                    cell: (event) =>
                      canDelete && (
                        <span className="trash-buttons">
                          <Button
                            icon="restore"
                            aria-label={t('restoreNamed', { name: event.event_name })}
                            onClick={run(() => restoreTrashedEvent(event))}
                          >
                            {t('restore')}
                          </Button>
                          <Button
                            kind="quiet"
                            icon="trash"
                            aria-label={t('deleteNamed', { name: event.event_name })}
                            onClick={run(() => deleteTrashedEvent(event))}
                          >
                            {t('deleteForGood')}
                          </Button>
                        </span>
                      ),
                  },
                ]}
              />
              <Pagination page={page} pages={pages} onPage={setPage} />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

function Name({ event }: { event: TrashedEvent }) {
  const typeLabel = useTypeLabels()
  const facts = [typeLabel(event.event_type), event.event_date && formatDay(event.event_date)]
  return (
    <>
      <bdi>{event.event_name}</bdi>
      <br />
      <span className="quiet-text">{facts.filter(Boolean).join(' · ')}</span>
    </>
  )
}
