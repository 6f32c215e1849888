import './people.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, must, type Wire } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { confirm } from '../parts/confirm.tsx'
import { wordsOf } from '../parts/error-messages.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx'
import { tell } from '../parts/notices.tsx'
import { Badge, Empty, Page } from '../parts/page.tsx'
import { Pagination } from '../parts/pagination.tsx'
import { Table } from '../parts/table.tsx'
import { sinceWords } from '../parts/time-words.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { CustomerDialog } from './customer-dialog.tsx'
import { customersQuery } from './people-queries.ts'

const say = sayIn('people')

type Customer = Wire['Customer']

export function CustomersPage() {
  const [page, setPage] = useState(1)
  const [isAdding, setAdding] = useState(false)
  const mayEdit = useMay()('events.edit')
  const query = useQuery(customersQuery(page))
  const add = mayEdit && (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {say('newCustomer')}
    </Button>
  )
  return (
    <Page title={say('customers')} actions={add}>
      <p className="quiet-text">{say('customersText')}</p>
      <Loaded query={query}>
        {({ customers, pagination }) =>
          customers.length === 0 ? (
            <Empty title={say('noCustomers')} text={say('noCustomersText')} />
          ) : (
            <>
              <Table
                caption={say('customers')}
                rows={customers}
                rowKey={({ id }) => id}
                columns={[
                  {
                    head: say('name'),
                    cell: ({ name, email }) => (
                      <>
                        <span dir="auto">{name}</span>
                        <span className="people-mail quiet-text">{email}</span>
                      </>
                    ),
                  },
                  { head: say('events'), cell: ({ events }) => <Events events={events} /> },
                  { head: say('state'), cell: (customer) => <CustomerState customer={customer} />, isExtra: true },
                  {
                    head: say('lastSeen'),
                    cell: ({ last_login_at }) => (last_login_at ? sinceWords(last_login_at) : say('never')),
                    isExtra: true,
                  },
                  { head: say('actions'), cell: (customer) => mayEdit && <CustomerMenu customer={customer} /> },
                ]}
              />
              <Pagination page={page} pages={pagination.pages} onPage={setPage} />
            </>
          )
        }
      </Loaded>
      {isAdding && <CustomerDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}

const Events = ({ events }: Pick<Customer, 'events'>) =>
  events.length === 0 ? (
    <span className="quiet-text">{say('none')}</span>
  ) : (
    <ul className="people-events">
      {events.map(({ id, event_name }) => (
        <li key={id}>
          <Link to="/events/$eventId" params={{ eventId: String(id) }} dir="auto">
            {event_name}
          </Link>
        </li>
      ))}
    </ul>
  )

function CustomerState({ customer: { is_active, has_password } }: { customer: Customer }) {
  if (!is_active) return <Badge tone="bad">{say('deactivated')}</Badge>
  return has_password ? <Badge tone="good">{say('active')}</Badge> : <Badge tone="warn">{say('noPassword')}</Badge>
}

function CustomerMenu({ customer }: { customer: Customer }) {
  const { id, name, is_active } = customer
  const queries = useQueryClient()
  const [shown, setShown] = useState<'change' | 'assign' | null>(null)
  const params = { params: { path: { customer_id: id } } }
  const action = useMutation({
    mutationFn: (act: () => Promise<string>) => act(),
    onSuccess: (done) => tell(done),
    onError: (error) => tell(wordsOf(error), { isAlarm: true }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['people'] }),
  })
  const setActive = (wanted: boolean) =>
    action.mutate(async () => {
      await must(api.PATCH('/api/admin/customers/{customer_id}', { ...params, body: { is_active: wanted } }))
      return say(wanted ? 'broughtBack' : 'deactivatedNamed', { name })
    })
  const remove = async () => {
    const question = { title: say('deleteTitle', { name }), text: say('deleteText'), action: say('delete') }
    if (!(await confirm(question))) return
    action.mutate(async () => {
      await must(api.DELETE('/api/admin/customers/{customer_id}', params))
      return say('deleted', { name })
    })
  }
  return (
    <>
      <Menu opener={<IconButton icon="more" label={say('actionsFor', { name })} />}>
        <MenuItem icon="events" onSelect={() => setShown('assign')}>
          {say('assign')}
        </MenuItem>
        <MenuItem icon="edit" onSelect={() => setShown('change')}>
          {say('change')}
        </MenuItem>
        <MenuItem icon={is_active ? 'hidden' : 'restore'} onSelect={() => setActive(!is_active)}>
          {say(is_active ? 'deactivate' : 'bringBack')}
        </MenuItem>
        <MenuLine />
        <MenuItem icon="trash" isDangerous onSelect={remove}>
          {say('delete')}
        </MenuItem>
      </Menu>
      {shown === 'change' && <CustomerDialog customer={customer} onClose={() => setShown(null)} />}
      {shown === 'assign' && <AssignDialog customer={customer} onClose={() => setShown(null)} />}
    </>
  )
}
