import './api-tokens.css'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button } from '../components/button.tsx'
import { Loaded } from '../components/loaded.tsx'
import { showError, showNotice } from '../components/notices.tsx'
import { Empty, Page } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { NewToken } from './new-token.tsx'
import { RevokeToken, TokenAccess, TokenExpiry, TokenLastUse, TokenName } from './token-cells.tsx'

const t = translator('account')

type Token = Schemas['ListApiTokensReply'][number]

const tokensQuery = queryOptions({
  queryKey: ['account', 'tokens'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/api-tokens', { signal })),
})

export function ApiTokensPage() {
  const tokens = useQuery(tokensQuery)
  const queries = useQueryClient()
  const [isCreating, setCreating] = useState(false)
  const refresh = () => queries.invalidateQueries(tokensQuery)
  const revoke = useMutation({
    mutationFn: ({ id }: Token) =>
      unwrap(api.DELETE('/api/admin/api-tokens/{token_id}', { params: { path: { token_id: id } } })),
    onSuccess: () => showNotice(t('tokenRevoked')),
    onError: showError,
    onSettled: refresh,
  })
  const newTokenButton = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('newToken')}
    </Button>
  )
  return (
    <Page title={t('tokens')} actions={newTokenButton}>
      <p className="quiet-text">
        {t('tokensText')} <a href="/api/docs">{t('toDocs')}</a>
      </p>
      <Loaded query={tokens}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('noTokens')} text={t('noTokensText')} />
          ) : (
            <Table
              caption={t('tokens')}
              rows={list}
              rowKey={({ id }) => id}
              columns={[
                { head: t('tokenName'), cell: (token) => <TokenName token={token} /> },
                { head: t('mayDo'), cell: (token) => <TokenAccess token={token} /> },
                {
                  head: t('lastUsed'),
                  cell: ({ last_used_at }) => <TokenLastUse at={last_used_at} />,
                  isWideOnly: true,
                },
                { head: t('expires'), cell: ({ expires_at }) => <TokenExpiry at={expires_at} />, isWideOnly: true },
                {
                  head: t('revoke'),
                  cell: (token) => <RevokeToken name={token.name} onRevoke={() => revoke.mutate(token)} />,
                },
              ]}
            />
          )
        }
      </Loaded>
      <NewToken isOpen={isCreating} onClose={() => setCreating(false)} onCreated={refresh} />
    </Page>
  )
}
