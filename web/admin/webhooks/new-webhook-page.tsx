import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api, must } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { rememberSecret } from './made-secret.ts'
import { draftOf, emptyDraft, type WebhookBody, type WebhookDraft } from './webhook-draft.ts'
import { WebhookForm } from './webhook-form.tsx'
import { webhookQuery, webhooksChanged } from './webhooks-query.ts'

const t = translator('webhooks')
const route = getRouteApi('/inside/webhooks/new')

/** With `from` it copies a webhook, which is the way to get a new secret. */
export function NewWebhookPage() {
  const { from } = route.useSearch()
  return (
    <Page
      title={t(from === undefined ? 'newWebhook' : 'newSecret')}
      isNarrow
      above={
        <Link to="/webhooks" className="webhooks-above">
          {t('webhooks')}
        </Link>
      }
    >
      {from === undefined ? (
        <>
          <p className="quiet-text">{t('newText')}</p>
          <NewForm first={emptyDraft} />
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
          <NewForm first={{ ...draftOf(webhook), active: true }} />
        </>
      )}
    </Loaded>
  )
}

function NewForm({ first }: { first: WebhookDraft }) {
  const navigate = route.useNavigate()
  const create = (body: WebhookBody) => must(api.POST('/api/admin/webhooks', { body }))
  return (
    <WebhookForm
      first={first}
      action={t('create')}
      save={create}
      onSaved={({ id, secret }) => {
        rememberSecret(id, secret)
        void webhooksChanged()
        return navigate({ to: '/webhooks/$webhookId', params: { webhookId: String(id) }, ignoreBlocker: true })
      }}
    />
  )
}
