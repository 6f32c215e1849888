import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, must, type Wire } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { useMe } from '../desk/me.ts'
import { useMailSetUp } from '../health/use-mail-set-up.ts'
import { IconButton } from '../parts/button.tsx'
import { confirm } from '../parts/confirm.tsx'
import { errorMessage } from '../parts/error-messages.ts'
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx'
import { showNotice } from '../parts/notices.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { InviteLinkDialog } from './invite-link-dialog.tsx'
import { UserDialog } from './user-dialog.tsx'

const t = translator('people')

type Account = Wire['Account']
type Props = { account: Account; others: readonly Account[] }

export function UserMenu({ account, others }: Props) {
  const { id, username: name, is_active, has_second_factor, event_count } = account
  const me = useMe()
  const queries = useQueryClient()
  const resetText = t(useMailSetUp() ? 'resetText' : 'resetTextNoMail')
  const [shown, setShown] = useState<'change' | 'hand-over' | null>(null)
  const [inviteUrl, setInviteUrl] = useState<string | null>(null)
  const params = { params: { path: { user_id: id } } }
  const action = useMutation({
    mutationFn: (act: () => Promise<string>) => act(),
    onSuccess: (done) => showNotice(done),
    onError: (error) => showNotice(errorMessage(error), { isAlarm: true }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['people'] }),
  })
  const ask = async (question: { title: string; text: string; action: string }, act: () => Promise<string>) => {
    if (await confirm(question)) action.mutate(act)
  }
  const deactivate = () =>
    ask({ title: t('deactivateTitle', { name }), text: t('deactivateText'), action: t('deactivate') }, async () => {
      await must(api.POST('/api/admin/users/{user_id}/deactivate', params))
      return t('deactivatedNamed', { name })
    })
  const bringBack = () =>
    action.mutate(async () => {
      await must(api.PATCH('/api/admin/users/{user_id}', { ...params, body: { is_active: true } }))
      return t('broughtBack', { name })
    })
  const resetPassword = () =>
    ask({ title: t('resetTitle', { name }), text: resetText, action: t('resetPassword') }, async () => {
      const { invite_url } = await must(api.POST('/api/admin/users/{user_id}/reset-password', params))
      setInviteUrl(invite_url)
      return t('linkMade', { name })
    })
  const removeFactor = () =>
    ask(
      { title: t('removeFactorTitle', { name }), text: t('removeFactorText'), action: t('removeFactor') },
      async () => {
        await must(api.POST('/api/admin/users/{user_id}/remove-second-factor', params))
        return t('factorRemoved', { name })
      },
    )
  const isSelf = id === me.id
  return (
    <>
      <Menu opener={<IconButton icon="more" label={t('actionsFor', { name })} />}>
        <MenuItem icon="edit" onSelect={() => setShown('change')}>
          {t('change')}
        </MenuItem>
        {!isSelf && is_active && (
          <>
            <MenuItem icon="key" onSelect={resetPassword}>
              {t('resetPassword')}
            </MenuItem>
            {has_second_factor && (
              <MenuItem icon="lock" onSelect={removeFactor}>
                {t('removeFactor')}
              </MenuItem>
            )}
            <MenuLine />
            <MenuItem icon="hidden" isDangerous onSelect={deactivate}>
              {t('deactivate')}
            </MenuItem>
          </>
        )}
        {!is_active && (
          <>
            <MenuItem icon="restore" onSelect={bringBack}>
              {t('bringBack')}
            </MenuItem>
            <MenuItem icon="people" isDisabled={event_count === 0} onSelect={() => setShown('hand-over')}>
              {t('handOver')}
            </MenuItem>
          </>
        )}
      </Menu>
      {shown === 'change' && <UserDialog account={account} onClose={() => setShown(null)} />}
      {shown === 'hand-over' && <HandOverDialog account={account} others={others} onClose={() => setShown(null)} />}
      {inviteUrl !== null && <InviteLinkDialog name={name} url={inviteUrl} onClose={() => setInviteUrl(null)} />}
    </>
  )
}
