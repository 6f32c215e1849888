import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { IconButton } from '../components/button.tsx'
import { confirm } from '../components/confirm.tsx'
import { formatDate, formatRelativeTime } from '../components/format-time.ts'
import { Badge } from '../components/page.tsx'

const t = translator('account')

type Token = Schemas['ListApiTokensReply'][number]

export const TokenName = ({ token: { name, token_preview } }: { token: Pick<Token, 'name' | 'token_preview'> }) => (
  <>
    <span dir="auto">{name}</span> <code className="quiet-text">{token_preview}…</code>
  </>
)

/** Returns the message key of the widest scope. `admin` includes `write`, and `write` includes `read`. */
function tokenScopeKey(scopes: Token['scopes']): `scope_${Token['scopes'][number]}` {
  const widest = (['admin', 'write', 'read'] as const).find((scope) => scopes.includes(scope)) ?? 'read'
  return `scope_${widest}`
}

export const TokenAccess = ({ token: { scopes, reads_notes } }: { token: Pick<Token, 'scopes' | 'reads_notes'> }) => (
  <>
    {t(tokenScopeKey(scopes))} {reads_notes && <Badge>{t('readsNotes')}</Badge>}
  </>
)

export const TokenLastUse = ({ at }: { at: string | null }) => (at ? formatRelativeTime(at) : t('neverUsed'))

export function TokenExpiry({ at }: { at: string | null }) {
  if (at === null) return t('neverExpires')
  return Date.parse(at) < Date.now() ? <Badge tone="bad">{t('expired')}</Badge> : formatDate(at)
}

/** Asks before it calls `onRevoke`. */
export function RevokeToken({ name, onRevoke }: { name: string; onRevoke: () => void }) {
  const confirmRevoke = async () => {
    const question = { title: t('revokeTitle', { name }), text: t('revokeText'), action: t('revoke') }
    if (await confirm(question)) onRevoke()
  }
  return <IconButton icon="trash" label={t('revokeNamed', { name })} onClick={confirmRevoke} />
}
