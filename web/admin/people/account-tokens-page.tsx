import './people.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { RevokeToken, TokenAccess, TokenExpiry, TokenLastUse, TokenName } from '../account/token-cells.tsx'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Loaded } from '../components/loaded.tsx'
import { Badge, Empty, Page } from '../components/page.tsx'
import { Pagination } from '../components/pagination.tsx'
import { Table } from '../components/table.tsx'
import { accountTokensQuery, usePeopleAction } from './people-queries.ts'

const t = translator('people')
const tAccount = translator('account')

type Token = Schemas['AccountTokenList']['tokens'][number]

export function AccountTokensPage() {
  const [page, setPage] = useState(1)
  const query = useQuery(accountTokensQuery(page))
  const action = usePeopleAction()
  const revoke = ({ id }: Token) =>
    action.mutate(async () => {
      const params = { path: { token_id: id } }
      await unwrap(api.DELETE('/api/admin/users/api-tokens/{token_id}', { params }))
      return tAccount('tokenRevoked')
    })
  return (
    <Page title={t('allTokens')} breadcrumb={<Link to="/people">{t('people')}</Link>}>
      <p className="quiet-text">{t('allTokensText')}</p>
      <Loaded query={query}>
        {({ tokens, pagination }) =>
          tokens.length === 0 ? (
            <Empty title={tAccount('noTokens')} text={t('noTokensAtAll')} />
          ) : (
            <>
              <Table
                caption={t('allTokens')}
                rows={tokens}
                rowKey={({ id }) => id}
                columns={[
                  { head: tAccount('tokenName'), cell: (token) => <TokenName token={token} /> },
                  { head: t('account'), cell: (token) => <Owner token={token} /> },
                  { head: tAccount('mayDo'), cell: (token) => <TokenAccess token={token} />, isWideOnly: true },
                  {
                    head: tAccount('lastUsed'),
                    cell: ({ last_used_at }) => <TokenLastUse at={last_used_at} />,
                  },
                  {
                    head: tAccount('expires'),
                    cell: ({ expires_at }) => <TokenExpiry at={expires_at} />,
                    isWideOnly: true,
                  },
                  {
                    head: tAccount('revoke'),
                    cell: (token) => <RevokeToken name={token.name} onRevoke={() => revoke(token)} />,
                  },
                ]}
              />
              <Pagination page={page} pages={pagination.pages} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

const Owner = ({ token: { username, is_active } }: { token: Token }) => (
  <>
    <span dir="auto">{username}</span> {!is_active && <Badge tone="bad">{t('deactivated')}</Badge>}
  </>
)
