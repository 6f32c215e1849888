import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api, must } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { rememberSecret } from './made-secret.ts'
import { draftOf, emptyDraft, type WebhookBody, type WebhookDraft } from './webhook-draft.ts'
import { WebhookForm } from './webhook-form.tsx'
import { webhookQuery, webhooksChanged } from './webhooks-query.ts'

const say = sayIn('webhooks')
const route = getRouteApi('/inside/webhooks/new')

/** With `from` it copies a webhook, which is the way to get a new secret. */
export function NewWebhookPage() {
  const { from } = route.useSearch()
  return (
    <Page
      title={say(from === undefined ? 'newWebhook' : 'newSecret')}
      isNarrow
      above={
        <Link to="/webhooks" className="webhooks-above">
          {say('webhooks')}
        </Link>
      }
    >
      {from === undefined ? (
        <>
          <p className="quiet-text">{say('newText')}</p>
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
          <p className="quiet-text">{say('secretStays')}</p>
          <ol className="webhooks-steps">
            <li>{say('secretStep1')}</li>
            <li>{say('secretStep2')}</li>
            <li>{say('secretStep3', { name: webhook.name })}</li>
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
      action={say('create')}
      save={create}
      onSaved={({ id, secret }) => {
        rememberSecret(id, secret)
        void webhooksChanged()
        return navigate({ to: '/webhooks/$webhookId', params: { webhookId: String(id) }, ignoreBlocker: true })
      }}
    />
  )
}
