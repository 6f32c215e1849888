import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Loaded } from '../components/loaded.tsx'
import { Page } from '../components/page.tsx'
import { rememberSecret } from './secret-card.tsx'
import { emptyDraft, toWebhookDraft, type WebhookDraft } from './webhook-draft.ts'
import { WebhookForm, WebhooksLink } from './webhook-form.tsx'
import { invalidateWebhooks, webhookQuery } from './webhooks-query.ts'

const t = translator('webhooks')
const route = getRouteApi('/inside/webhooks/new')

/** `from` is the id of a webhook to copy. The copy has a new secret. */
export function NewWebhookPage() {
  const { from } = route.useSearch()
  return (
    <Page title={t(from === undefined ? 'newWebhook' : 'newSecret')} isNarrow breadcrumb={<WebhooksLink />}>
      {from === undefined ? (
        <>
          <p className="quiet-text">{t('newText')}</p>
          <NewForm initialDraft={emptyDraft} />
        </>
      ) : (
        <CopyForm from={from} />
      )}
    </Page>
  )
}

function CopyForm({ from }: { from: number }) {
  const query = useQuery(webhookQuery(from))
  return (
    <Loaded query={query}>
      {(webhook) => (
        <>
          <p className="quiet-text">{t('secretStays')}</p>
          <ol className="webhooks-steps">
            <li>{t('secretStep1')}</li>
            <li>{t('secretStep2')}</li>
            <li>{t('secretStep3', { name: webhook.name })}</li>
          </ol>
          <NewForm initialDraft={{ ...toWebhookDraft(webhook), active: true }} />
        </>
      )}
    </Loaded>
  )
}

function NewForm({ initialDraft }: { initialDraft: WebhookDraft }) {
  const navigate = route.useNavigate()
  return (
    <WebhookForm
      initialDraft={initialDraft}
      action={t('create')}
      save={(body) => unwrap(api.POST('/api/admin/webhooks', { body }))}
      onSaved={({ id, secret }) => {
        rememberSecret(id, secret)
        void invalidateWebhooks()
        return navigate({ to: '/webhooks/$webhookId', params: { webhookId: String(id) }, ignoreBlocker: true })
      }}
    />
  )
}
