import './api-tokens.css'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, must, type Wire } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { confirm } from '../parts/confirm.tsx'
import { wordsOf } from '../parts/error-messages.ts'
import { Loaded } from '../parts/loaded.tsx'
import { tell } from '../parts/notices.tsx'
import { Badge, Empty, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { dateWords, sinceWords } from '../parts/time-words.ts'
import { NewToken } from './new-token.tsx'

const say = sayIn('account')

type Token = Wire['ListApiTokensReply'][number]

const tokensQuery = queryOptions({
  queryKey: ['account', 'tokens'],
  queryFn: ({ signal }) => must(api.GET('/api/admin/api-tokens', { signal })),
})

export function ApiTokensPage() {
  const tokens = useQuery(tokensQuery)
  const queries = useQueryClient()
  const [isMaking, setMaking] = useState(false)
  const refresh = () => queries.invalidateQueries(tokensQuery)
  const revoke = useMutation({
    mutationFn: ({ id }: Token) =>
      must(api.DELETE('/api/admin/api-tokens/{token_id}', { params: { path: { token_id: id } } })),
    onSuccess: () => tell(say('tokenRevoked')),
    onError: (error) => tell(wordsOf(error), { isAlarm: true }),
    onSettled: refresh,
  })
  const askToRevoke = async (token: Token) => {
    const { name } = token
    if (await confirm({ title: say('revokeTitle', { name }), text: say('revokeText'), action: say('revoke') })) {
      revoke.mutate(token)
    }
  }
  const make = (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {say('newToken')}
    </Button>
  )
  return (
    <Page title={say('tokens')} actions={make}>
      <p className="quiet-text">
        {say('tokensText')} <a href="/api/docs">{say('toDocs')}</a>
      </p>
      <Loaded query={tokens}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={say('noTokens')} text={say('noTokensText')} />
          ) : (
            <Table
              caption={say('tokens')}
              rows={list}
              rowKey={({ id }) => id}
              columns={[
                {
                  head: say('tokenName'),
                  cell: ({ name, token_preview }) => (
                    <>
                      <span dir="auto">{name}</span> <code className="quiet-text">{token_preview}…</code>
                    </>
                  ),
                },
                { head: say('mayDo'), cell: ({ scopes }) => say(`scope_${widest(scopes)}`) },
                {
                  head: say('lastUsed'),
                  cell: ({ last_used_at }) => (last_used_at ? sinceWords(last_used_at) : say('neverUsed')),
                  isExtra: true,
                },
                { head: say('expires'), cell: ({ expires_at }) => <Expiry at={expires_at} />, isExtra: true },
                {
                  head: say('revoke'),
                  cell: (token) => (
                    <IconButton
                      icon="trash"
                      label={say('revokeNamed', { name: token.name })}
                      onClick={() => askToRevoke(token)}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <NewToken isOpen={isMaking} onClose={() => setMaking(false)} onMade={refresh} />
    </Page>
  )
}

/** The scope `admin` includes `write`, and `write` includes `read`. */
const widest = (scopes: Token['scopes']): Token['scopes'][number] =>
  (['admin', 'write', 'read'] as const).find((scope) => scopes.includes(scope)) ?? 'read'

function Expiry({ at }: { at: string | null }) {
  if (at === null) return say('neverExpires')
  return Date.parse(at) < Date.now() ? <Badge tone="bad">{say('expired')}</Badge> : dateWords(at)
}
