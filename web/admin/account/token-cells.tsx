import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { formatDate } from '../components/format-time.ts'
import { Badge } from '../components/page.tsx'

const t = translator('account')

type Token = Schemas['ListApiTokensReply'][number]

export const TokenName = ({ token: { name, token_preview } }: { token: Pick<Token, 'name' | 'token_preview'> }) => (
  <>
    <span dir="auto">{name}</span> <code className="quiet-text">{token_preview}…</code>
  </>
)

/** Returns the message key of the widest scope. `admin` includes `write`, and `write` includes `read`. */
export function tokenScopeKey(scopes: Token['scopes']): `scope_${Token['scopes'][number]}` {
  const widest = (['admin', 'write', 'read'] as const).find((scope) => scopes.includes(scope)) ?? 'read'
  return `scope_${widest}`
}

export function TokenExpiry({ at }: { at: string | null }) {
  if (at === null) return t('neverExpires')
  return Date.parse(at) < Date.now() ? <Badge tone="bad">{t('expired')}</Badge> : formatDate(at)
}
