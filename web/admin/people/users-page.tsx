import './people.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useMe } from '../app/me.ts'
import { Button } from '../components/button.tsx'
import { formatNumber, formatRelativeTime } from '../components/format-time.ts'
import { Loaded } from '../components/loaded.tsx'
import { Badge, Page } from '../components/page.tsx'
import { Pagination } from '../components/pagination.tsx'
import { Table } from '../components/table.tsx'
import { usersQuery } from './people-queries.ts'
import { RolesHelp } from './roles-help.tsx'
import { UserDialog } from './user-dialog.tsx'
import { UserMenu } from './user-menu.tsx'

const t = translator('people')
const tAccount = translator('account')

type Account = Schemas['Account']

export function UsersPage() {
  const [page, setPage] = useState(1)
  const [isInviting, setInviting] = useState(false)
  const query = useQuery(usersQuery(page))
  const actions = useMe().role === 'super_admin' && (
    <>
      <Link className="button" to="/people/tokens">
        {t('allTokens')}
      </Link>
      <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
        {t('invite')}
      </Button>
    </>
  )
  return (
    <Page title={t('people')} actions={actions}>
      <Loaded query={query}>
        {({ users, pagination }) => (
          <>
            <Table
              caption={t('people')}
              rows={users}
              rowKey={({ id }) => id}
              columns={[
                {
                  head: t('name'),
                  cell: ({ username, email }) => (
                    <>
                      <span dir="auto">{username}</span>
                      <span className="people-mail quiet-text">{email}</span>
                    </>
                  ),
                },
                { head: t('role'), cell: ({ role }) => tAccount(`role_${role}`) },
                { head: t('state'), cell: (account) => <AccountState account={account} />, isWideOnly: true },
                {
                  head: t('events'),
                  cell: ({ event_count }) => formatNumber(event_count),
                  isNumeric: true,
                  isWideOnly: true,
                },
                {
                  head: t('lastSeen'),
                  cell: ({ last_login_at }) => (last_login_at ? formatRelativeTime(last_login_at) : t('never')),
                  isWideOnly: true,
                },
                { head: t('actions'), cell: (account) => <UserMenu account={account} others={users} /> },
              ]}
            />
            <Pagination page={page} pages={pagination.pages} onPage={setPage} />
          </>
        )}
      </Loaded>
      <RolesHelp />
      {isInviting && <UserDialog onClose={() => setInviting(false)} />}
    </Page>
  )
}

function AccountState({ account }: { account: Account }) {
  const { is_active, has_password, invite_expires_at, has_second_factor } = account
  if (!is_active) return <Badge tone="bad">{t('deactivated')}</Badge>
  if (invite_expires_at !== null) return <Badge tone="warn">{t('invited')}</Badge>
  if (!has_password) return <Badge tone="warn">{t('inviteEnded')}</Badge>
  return has_second_factor ? <Badge tone="good">{t('secondFactor')}</Badge> : <Badge>{t('active')}</Badge>
}
