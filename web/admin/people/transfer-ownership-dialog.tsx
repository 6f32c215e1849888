import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { SelectField } from '../components/field.tsx'
import { showNotice } from '../components/notices.tsx'

const t = translator('people')

type Account = Schemas['Account']
type Props = { account: Account; others: readonly Account[]; onClose: () => void }

export function TransferOwnershipDialog({ account, others, onClose }: Props) {
  const queries = useQueryClient()
  const transferOwnership = useMutation({
    mutationFn: (to_user_id: number) =>
      unwrap(
        api.POST('/api/admin/users/{user_id}/hand-over', {
          params: { path: { user_id: account.id } },
          body: { to_user_id },
        }),
      ),
    onSuccess: ({ events, customers }) => {
      queries.invalidateQueries()
      showNotice([t('eventsHandedOver', { count: events }), t('customersHandedOver', { count: customers })].join(' '))
      onClose()
    },
  })
  const candidates = others.filter(({ id, is_active }) => is_active && id !== account.id)
  return (
    <ActionDialog
      title={t('handOverOf', { name: account.username })}
      description={t('handOverText', { count: account.event_count })}
      action={t('handOver')}
      mutation={transferOwnership}
      isReady={candidates.length > 0}
      onAction={(form) => transferOwnership.mutate(Number(form.get('to')))}
      onClose={onClose}
    >
      <SelectField label={t('handOverTo')} name="to">
        {candidates.map(({ id, username }) => (
          <option key={id} value={id}>
            {username}
          </option>
        ))}
      </SelectField>
    </ActionDialog>
  )
}
