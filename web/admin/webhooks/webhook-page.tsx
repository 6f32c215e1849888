import './webhooks.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { queries } from '../app/query-client.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { LoadedPage } from '../components/loaded.tsx'
import { showNotice } from '../components/notices.tsx'
import { Page } from '../components/page.tsx'
import { Tabs } from '../components/tabs.tsx'
import { Deliveries } from './deliveries.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { SecretCard } from './secret-card.tsx'
import { TestDialog } from './test-dialog.tsx'
import { Verify } from './verify.tsx'
import { toWebhookDraft } from './webhook-draft.ts'
import { WebhookForm, WebhooksLink } from './webhook-form.tsx'
import { WebhookMenu } from './webhook-menu.tsx'
import { WebhookStatus } from './webhook-status.tsx'
import { invalidateWebhooks, type Webhook, webhookQuery } from './webhooks-query.ts'

const t = translator('webhooks')
const route = getRouteApi('/inside/webhooks/$webhookId')

export function WebhookPage() {
  const { webhookId } = route.useParams()
  const query = useQuery(webhookQuery(Number(webhookId)))
  const listLink = (
    <Link to="/webhooks" className={buttonClass('primary')}>
      {t('allWebhooks')}
    </Link>
  )
  const notFound = { title: t('goneTitle'), text: t('goneText'), listLink }
  return (
    <LoadedPage query={query} title={t('webhooks')} notFound={notFound}>
      {(webhook) => <WebhookDetails key={webhook.id} webhook={webhook} />}
    </LoadedPage>
  )
}

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const { part, delivery } = route.useSearch()
  const navigate = route.useNavigate()
  const [isTesting, setTesting] = useState(false)
  const canEdit = useHasPermission()('settings.edit')
  const showDelivery = (id?: number) =>
    void navigate({
      search: ({ delivery: _, ...before }) => (id === undefined ? before : { ...before, delivery: id }),
      replace: id === undefined,
      resetScroll: false,
    })
  return (
    <Page
      title={webhook.name}
      breadcrumb={<WebhooksLink />}
      actions={
        canEdit && (
          <>
            <Button icon="send" kind="primary" onClick={() => setTesting(true)}>
              {t('test')}
            </Button>
            <WebhookMenu webhook={webhook} />
          </>
        )
      }
    >
      <div className="webhooks-facts">
        <WebhookStatus webhook={webhook} />
        <bdi className="webhooks-url">{webhook.url}</bdi>
      </div>
      <SecretCard webhookId={webhook.id} />
      <Tabs label={t('parts')}>
        <PartLink id={webhook.id} part={undefined} label={t('deliveries')} />
        <PartLink id={webhook.id} part="edit" label={t('edit')} />
        <PartLink id={webhook.id} part="verify" label={t('verify')} />
      </Tabs>
      {part === 'edit' && <EditForm webhook={webhook} />}
      {part === 'verify' && <Verify webhook={webhook} />}
      {part !== 'edit' && part !== 'verify' && <Deliveries webhook={webhook} />}
      {delivery !== undefined && (
        <DeliveryDialog webhook={webhook} deliveryId={delivery} onShow={showDelivery} onClose={() => showDelivery()} />
      )}
      <TestDialog
        webhook={webhook}
        isOpen={isTesting}
        onClose={() => setTesting(false)}
        onShow={(id) => {
          setTesting(false)
          showDelivery(id)
        }}
      />
    </Page>
  )
}

const PartLink = ({ id, part, label }: { id: number; part: string | undefined; label: string }) => (
  <Link
    to="/webhooks/$webhookId"
    params={{ webhookId: String(id) }}
    search={{ part } as { part?: string }}
    activeOptions={{ explicitUndefined: true }}
    resetScroll={false}
  >
    {label}
  </Link>
)

function EditForm({ webhook }: { webhook: Webhook }) {
  const params = { path: { webhook_id: webhook.id } }
  return (
    <div className="webhooks-narrow">
      <WebhookForm
        initialDraft={toWebhookDraft(webhook)}
        action={t('save')}
        save={(body) => unwrap(api.PUT('/api/admin/webhooks/{webhook_id}', { params, body }))}
        onSaved={(saved) => {
          queries.setQueryData(webhookQuery(webhook.id).queryKey, saved)
          void invalidateWebhooks()
          showNotice(t('saved'))
        }}
      />
    </div>
  )
}
