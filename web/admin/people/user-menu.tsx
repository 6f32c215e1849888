import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useMe } from '../app/me.ts'
import { IconButton } from '../components/button.tsx'
import { confirm } from '../components/confirm.tsx'
import { Menu, MenuItem, MenuSeparator } from '../components/menu.tsx'
import { useIsMailConfigured } from '../health/health-query.ts'
import { usePeopleAction } from './people-queries.ts'
import { TransferOwnershipDialog } from './transfer-ownership-dialog.tsx'
import { InviteLinkDialog, UserDialog } from './user-dialog.tsx'

const t = translator('people')

type Account = Schemas['Account']
export function UserMenu({ account, others }: { account: Account; others: readonly Account[] }) {
  const { id, username: name, is_active, has_second_factor, event_count } = account
  const me = useMe()
  const resetText = t(useIsMailConfigured() ? 'resetText' : 'resetTextNoMail')
  const [openDialog, setOpenDialog] = useState<'change' | 'hand-over' | null>(null)
  const [inviteUrl, setInviteUrl] = useState<string | null>(null)
  const params = { params: { path: { user_id: id } } }
  const action = usePeopleAction()
  const confirmAndRun = async (question: Parameters<typeof confirm>[0], operation: () => Promise<string>) => {
    if (await confirm(question)) action.mutate(operation)
  }
  const deactivate = () =>
    confirmAndRun(
      { title: t('deactivateTitle', { name }), text: t('deactivateText'), action: t('deactivate') },
      async () => {
        await unwrap(api.POST('/api/admin/users/{user_id}/deactivate', params))
        return t('deactivatedNamed', { name })
      },
    )
  const reactivate = () =>
    action.mutate(async () => {
      await unwrap(api.PATCH('/api/admin/users/{user_id}', { ...params, body: { is_active: true } }))
      return t('broughtBack', { name })
    })
  const resetPassword = () =>
    confirmAndRun({ title: t('resetTitle', { name }), text: resetText, action: t('resetPassword') }, async () => {
      const { invite_url } = await unwrap(api.POST('/api/admin/users/{user_id}/reset-password', params))
      setInviteUrl(invite_url)
      return t('linkMade', { name })
    })
  const removeSecondFactor = () =>
    confirmAndRun(
      { title: t('removeFactorTitle', { name }), text: t('removeFactorText'), action: t('removeFactor') },
      async () => {
        await unwrap(api.POST('/api/admin/users/{user_id}/remove-second-factor', params))
        return t('factorRemoved', { name })
      },
    )
  const revokeTokens = () =>
    confirmAndRun(
      { title: t('revokeTokensTitle', { name }), text: t('revokeTokensText'), action: t('revokeTokens') },
      async () => {
        const { revoked_count } = await unwrap(api.POST('/api/admin/users/{user_id}/revoke-tokens', params))
        return t('tokensRevoked', { count: revoked_count })
      },
    )
  const isSelf = id === me.id
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={t('actionsFor', { name })} />}>
        <MenuItem icon="edit" onSelect={() => setOpenDialog('change')}>
          {t('change')}
        </MenuItem>
        {!isSelf && is_active && (
          <>
            <MenuItem icon="key" onSelect={resetPassword}>
              {t('resetPassword')}
            </MenuItem>
            <MenuItem icon="trash" onSelect={revokeTokens}>
              {t('revokeTokens')}
            </MenuItem>
            {has_second_factor && (
              <MenuItem icon="lock" onSelect={removeSecondFactor}>
                {t('removeFactor')}
              </MenuItem>
            )}
            <MenuSeparator />
            <MenuItem icon="hidden" isDangerous onSelect={deactivate}>
              {t('deactivate')}
            </MenuItem>
          </>
        )}
        {!is_active && (
          <>
            <MenuItem icon="restore" onSelect={reactivate}>
              {t('bringBack')}
            </MenuItem>
            <MenuItem icon="people" isDisabled={event_count === 0} onSelect={() => setOpenDialog('hand-over')}>
              {t('handOver')}
            </MenuItem>
          </>
        )}
      </Menu>
      {openDialog === 'change' && <UserDialog account={account} onClose={() => setOpenDialog(null)} />}
      {openDialog === 'hand-over' && (
        <TransferOwnershipDialog account={account} others={others} onClose={() => setOpenDialog(null)} />
      )}
      {inviteUrl !== null && <InviteLinkDialog name={name} url={inviteUrl} onClose={() => setInviteUrl(null)} />}
    </>
  )
}
