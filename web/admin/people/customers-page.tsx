import './people.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Button, IconButton } from '../components/button.tsx'
import { confirm } from '../components/confirm.tsx'
import { formatRelativeTime } from '../components/format-time.ts'
import { Loaded } from '../components/loaded.tsx'
import { Menu, MenuItem, MenuSeparator } from '../components/menu.tsx'
import { Badge, Empty, Page } from '../components/page.tsx'
import { Pagination } from '../components/pagination.tsx'
import { Table } from '../components/table.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import { CustomerDialog } from './customer-dialog.tsx'
import { customersQuery, usePeopleAction } from './people-queries.ts'

const t = translator('people')

type Customer = Schemas['Customer']

export function CustomersPage() {
  const [page, setPage] = useState(1)
  const [isAdding, setAdding] = useState(false)
  const canEdit = useHasPermission()('events.edit')
  const query = useQuery(customersQuery(page))
  const add = canEdit && (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {t('newCustomer')}
    </Button>
  )
  return (
    <Page title={t('customers')} actions={add}>
      <p className="quiet-text">{t('customersText')}</p>
      <Loaded query={query}>
        {({ customers, pagination }) =>
          customers.length === 0 ? (
            <Empty title={t('noCustomers')} text={t('noCustomersText')} />
          ) : (
            <>
              <Table
                caption={t('customers')}
                rows={customers}
                rowKey={({ id }) => id}
                columns={[
                  {
                    head: t('name'),
                    cell: ({ name, email }) => (
                      <>
                        <span dir="auto">{name}</span>
                        <span className="people-mail quiet-text">{email}</span>
                      </>
                    ),
                  },
                  { head: t('events'), cell: ({ events }) => <Events events={events} /> },
                  { head: t('state'), cell: (customer) => <CustomerState customer={customer} />, isWideOnly: true },
                  {
                    head: t('lastSeen'),
                    cell: ({ last_login_at }) => (last_login_at ? formatRelativeTime(last_login_at) : t('never')),
                    isWideOnly: true,
                  },
                  { head: t('actions'), cell: (customer) => canEdit && <CustomerMenu customer={customer} /> },
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
    <span className="quiet-text">{t('none')}</span>
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
  if (!is_active) return <Badge tone="bad">{t('deactivated')}</Badge>
  return has_password ? <Badge tone="good">{t('active')}</Badge> : <Badge tone="warn">{t('noPassword')}</Badge>
}

function CustomerMenu({ customer }: { customer: Customer }) {
  const { id, name, is_active } = customer
  const [openDialog, setOpenDialog] = useState<'change' | 'assign' | null>(null)
  const params = { params: { path: { customer_id: id } } }
  const action = usePeopleAction()
  const setActive = (isActive: boolean) =>
    action.mutate(async () => {
      await unwrap(api.PATCH('/api/admin/customers/{customer_id}', { ...params, body: { is_active: isActive } }))
      return t(isActive ? 'broughtBack' : 'deactivatedNamed', { name })
    })
  const remove = async () => {
    const question = { title: t('deleteTitle', { name }), text: t('deleteText'), action: t('delete') }
    if (!(await confirm(question))) return
    action.mutate(async () => {
      await unwrap(api.DELETE('/api/admin/customers/{customer_id}', params))
      return t('deleted', { name })
    })
  }
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={t('actionsFor', { name })} />}>
        <MenuItem icon="events" onSelect={() => setOpenDialog('assign')}>
          {t('assign')}
        </MenuItem>
        <MenuItem icon="edit" onSelect={() => setOpenDialog('change')}>
          {t('change')}
        </MenuItem>
        <MenuItem icon={is_active ? 'hidden' : 'restore'} onSelect={() => setActive(!is_active)}>
          {t(is_active ? 'deactivate' : 'bringBack')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="trash" isDangerous onSelect={remove}>
          {t('delete')}
        </MenuItem>
      </Menu>
      {openDialog === 'change' && <CustomerDialog customer={customer} onClose={() => setOpenDialog(null)} />}
      {openDialog === 'assign' && <AssignDialog customer={customer} onClose={() => setOpenDialog(null)} />}
    </>
  )
}
