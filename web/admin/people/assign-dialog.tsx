import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button, IconButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'
import { Loaded } from '../components/loaded.tsx'
import { showError } from '../components/notices.tsx'

const t = translator('people')

export function AssignDialog({ customer, onClose }: { customer: Schemas['Customer']; onClose: () => void }) {
  const queries = useQueryClient()
  const [assigned, setAssigned] = useState(customer.events)
  const [searchText, setSearchText] = useState('')
  const found = useQuery({
    queryKey: ['events', 'to-assign', searchText],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/admin/events', {
          params: { query: { limit: 10, ...(searchText && { search: searchText }) } },
          signal,
        }),
      ),
  })
  const change = useMutation({
    mutationFn: ({ eventId, isOpen }: { eventId: number; isOpen: boolean }) => {
      const params = { path: { customer_id: customer.id, event_id: eventId } }
      return unwrap(
        isOpen
          ? api.PUT('/api/admin/customers/{customer_id}/events/{event_id}', { params })
          : api.DELETE('/api/admin/customers/{customer_id}/events/{event_id}', { params }),
      )
    },
    onSuccess: ({ events }) => setAssigned(events),
    onError: showError,
    onSettled: () => queries.invalidateQueries({ queryKey: ['people'] }),
  })
  const isAssigned = (eventId: number) => assigned.some(({ id }) => id === eventId)
  return (
    <Dialog title={t('assignFor', { name: customer.name })} isOpen onClose={onClose}>
      {assigned.length > 0 && (
        <ul className="people-assigned" aria-label={t('assigned')}>
          {assigned.map(({ id, event_name }) => (
            <li key={id}>
              <span dir="auto">{event_name}</span>
              <IconButton
                icon="close"
                label={t('withdraw', { name: event_name })}
                onClick={() => change.mutate({ eventId: id, isOpen: false })}
              />
            </li>
          ))}
        </ul>
      )}
      <TextField
        label={t('findEvent')}
        type="search"
        value={searchText}
        onChange={({ target }) => setSearchText(target.value)}
      />
      <Loaded query={found}>
        {({ events }) => (
          <ul className="people-assigned" aria-label={t('foundEvents')}>
            {events
              .filter(({ id }) => !isAssigned(id))
              .map(({ id, event_name }) => (
                <li key={id}>
                  <span dir="auto">{event_name}</span>
                  <Button
                    icon="plus"
                    aria-label={t('openTo', { name: event_name })}
                    onClick={() => change.mutate({ eventId: id, isOpen: true })}
                  >
                    {t('open')}
                  </Button>
                </li>
              ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  )
}
