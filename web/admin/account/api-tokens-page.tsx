import './api-tokens.css'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button, IconButton } from '../components/button.tsx'
import { confirm } from '../components/confirm.tsx'
import { formatDate, formatRelativeTime } from '../components/format-time.ts'
import { Loaded } from '../components/loaded.tsx'
import { showError, showNotice } from '../components/notices.tsx'
import { Badge, Empty, Page } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { NewToken } from './new-token.tsx'

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
  const confirmRevoke = async (token: Token) => {
    const { name } = token
    if (await confirm({ title: t('revokeTitle', { name }), text: t('revokeText'), action: t('revoke') })) {
      revoke.mutate(token)
    }
  }
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
                {
                  head: t('tokenName'),
                  cell: ({ name, token_preview }) => (
                    <>
                      <span dir="auto">{name}</span> <code className="quiet-text">{token_preview}…</code>
                    </>
                  ),
                },
                { head: t('mayDo'), cell: ({ scopes }) => t(`scope_${findWidestScope(scopes)}`) },
                {
                  head: t('lastUsed'),
                  cell: ({ last_used_at }) => (last_used_at ? formatRelativeTime(last_used_at) : t('neverUsed')),
                  isWideOnly: true,
                },
                { head: t('expires'), cell: ({ expires_at }) => <Expiry at={expires_at} />, isWideOnly: true },
                {
                  head: t('revoke'),
                  cell: (token) => (
                    <IconButton
                      icon="trash"
                      label={t('revokeNamed', { name: token.name })}
                      onClick={() => confirmRevoke(token)}
                    />
                  ),
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

/** The scope `admin` includes `write`, and `write` includes `read`. */
const findWidestScope = (scopes: Token['scopes']): Token['scopes'][number] =>
  (['admin', 'write', 'read'] as const).find((scope) => scopes.includes(scope)) ?? 'read'

function Expiry({ at }: { at: string | null }) {
  if (at === null) return t('neverExpires')
  return Date.parse(at) < Date.now() ? <Badge tone="bad">{t('expired')}</Badge> : formatDate(at)
}
