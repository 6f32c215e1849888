import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { queries } from '../app/query-client.ts'
import { IconButton } from '../components/button.tsx'
import { confirm } from '../components/confirm.tsx'
import { Icon } from '../components/icon.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../components/menu.tsx'
import { showError, showNotice } from '../components/notices.tsx'
import { forgetSecret } from './secret-card.tsx'
import { invalidateWebhooks, type Webhook, webhookQuery, webhooksQuery } from './webhooks-query.ts'

const t = translator('webhooks')

export function WebhookMenu({ webhook }: { webhook: Webhook }) {
  const { id, name, active } = webhook
  const path = { params: { path: { webhook_id: id } } }
  const navigate = useNavigate()
  const toggleActive = useMutation({
    mutationFn: () => unwrap(api.PUT('/api/admin/webhooks/{webhook_id}', { ...path, body: { active: !active } })),
    onSuccess: (saved) => {
      queries.setQueryData(webhookQuery(id).queryKey, saved)
      showNotice(t(saved.active ? 'turnedOn' : 'turnedOff', { name }))
      return invalidateWebhooks()
    },
    onError: showError,
  })
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/admin/webhooks/{webhook_id}', path)),
    onSuccess: async () => {
      forgetSecret(id)
      showNotice(t('deleted', { name }))
      await navigate({ to: '/webhooks', ignoreBlocker: true })
      queries.removeQueries({ queryKey: ['webhooks', id] })
      await queries.invalidateQueries(webhooksQuery)
    },
    onError: showError,
  })
  const confirmDelete = async () => {
    if (await confirm({ title: t('deleteTitle', { name }), text: t('deleteText'), action: t('delete') })) {
      remove.mutate()
    }
  }
  return (
    <Menu trigger={<IconButton icon="more" label={t('more')} />}>
      <MenuItem icon={active ? 'pause' : 'play'} onSelect={() => toggleActive.mutate()}>
        {t(active ? 'turnOff' : 'turnOn')}
      </MenuItem>
      <MenuLink>
        <Link to="/webhooks/new" search={{ from: id }}>
          <Icon name="key" />
          {t('newSecret')}
        </Link>
      </MenuLink>
      <MenuSeparator />
      <MenuItem icon="trash" isDangerous onSelect={confirmDelete}>
        {t('delete')}
      </MenuItem>
    </Menu>
  )
}
