import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { findFieldMessage } from '../components/error-messages.ts'
import { TextField } from '../components/field.tsx'
import { showNotice } from '../components/notices.tsx'

const t = translator('people')

export function CustomerDialog({ customer, onClose }: { customer?: Schemas['Customer']; onClose: () => void }) {
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (body: Schemas['CreateCustomerBody']): Promise<unknown> => {
      if (!customer) return unwrap(api.POST('/api/admin/customers', { body }))
      const { password, ...rest } = body
      const changed = { ...rest, ...(password && { password }) }
      const params = { path: { customer_id: customer.id } }
      return unwrap(api.PATCH('/api/admin/customers/{customer_id}', { params, body: changed }))
    },
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['people'] })
      showNotice(t('saved'))
      onClose()
    },
  })
  const onAction = (form: FormData) =>
    save.mutate({
      name: String(form.get('name')),
      email: String(form.get('email')),
      password: String(form.get('password')) || null,
    })
  const fieldProps = (name: 'name' | 'email') => ({
    name,
    label: t(name),
    required: true,
    autoComplete: 'off',
    defaultValue: customer?.[name] ?? '',
    errorText: findFieldMessage(save.error, name),
  })
  return (
    <ActionDialog
      title={customer ? t('changeNamed', { name: customer.name }) : t('newCustomer')}
      onClose={onClose}
      action={t('save')}
      mutation={save}
      fields={['name', 'email', 'password']}
      onAction={onAction}
    >
      <TextField {...fieldProps('name')} maxLength={200} />
      <TextField {...fieldProps('email')} type="email" maxLength={254} />
      <TextField
        label={t('password')}
        help={t(customer?.has_password ? 'passwordKept' : 'passwordHelp')}
        name="password"
        minLength={8}
        maxLength={128}
        autoComplete="off"
        errorText={findFieldMessage(save.error, 'password')}
      />
    </ActionDialog>
  )
}
