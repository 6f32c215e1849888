import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { Buttons } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { findFieldMessage } from '../components/error-messages.ts'
import { SelectField, TextField } from '../components/field.tsx'
import { ReachNote } from '../components/link-reach.tsx'
import { showNotice } from '../components/notices.tsx'
import { useIsMailConfigured } from '../health/health-query.ts'

const t = translator('people')
const tAccount = translator('account')

type Role = Schemas['Role']
const roles: Role[] = ['super_admin', 'admin', 'editor', 'viewer']

/** Invites a new account if `account` is missing. */
export function UserDialog({ account, onClose }: { account?: Schemas['Account']; onClose: () => void }) {
  const queries = useQueryClient()
  const inviteText = t(useIsMailConfigured() ? 'inviteText' : 'inviteTextNoMail')
  const save = useMutation({
    mutationFn: async (body: { username: string; email: string; role: Role }): Promise<string | null> => {
      if (!account) return (await unwrap(api.POST('/api/admin/users', { body }))).invite_url
      await unwrap(api.PATCH('/api/admin/users/{user_id}', { params: { path: { user_id: account.id } }, body }))
      return null
    },
    onSuccess: async (inviteUrl) => {
      await queries.invalidateQueries({ queryKey: ['people'] })
      if (inviteUrl !== null) return
      showNotice(t('saved'))
      onClose()
    },
  })
  if (save.data) return <InviteLinkDialog name={save.variables.username} url={save.data} onClose={onClose} />
  const onAction = (form: FormData) =>
    save.mutate({
      username: String(form.get('username')),
      email: String(form.get('email')),
      role: form.get('role') as Role,
    })
  const fieldProps = (name: 'username' | 'email') => ({
    name,
    label: t(name),
    required: true,
    autoComplete: 'off',
    defaultValue: account?.[name] ?? '',
    errorText: findFieldMessage(save.error, name),
  })
  return (
    <ActionDialog
      title={account ? t('changeNamed', { name: account.username }) : t('invite')}
      description={account ? undefined : inviteText}
      onClose={onClose}
      action={account ? t('save') : t('invite')}
      mutation={save}
      fields={['username', 'email', 'role']}
      onAction={onAction}
    >
      <TextField {...fieldProps('username')} maxLength={100} />
      <TextField {...fieldProps('email')} type="email" maxLength={254} />
      <SelectField label={t('role')} name="role" defaultValue={account?.role ?? 'editor'} help={t('roleHelp')}>
        {roles.map((role) => (
          <option key={role} value={role}>
            {tAccount(`role_${role}`)}
          </option>
        ))}
      </SelectField>
    </ActionDialog>
  )
}

/** Shows the link with which the user of the account chooses a password. The link cannot be shown again. */
export function InviteLinkDialog({ name, url, onClose }: { name: string; url: string; onClose: () => void }) {
  const description = t(useIsMailConfigured() ? 'linkText' : 'linkTextNoMail')
  return (
    <Dialog title={t('linkFor', { name })} description={description} isOpen onClose={onClose}>
      <pre className="people-link">{url}</pre>
      <ReachNote link={url} />
      <Buttons isAtEnd>
        <CopyButton text={url} kind="primary" label={t('copyLink')} />
      </Buttons>
    </Dialog>
  )
}
