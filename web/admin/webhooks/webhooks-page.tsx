import './webhooks.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { buttonClass } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Empty, Page } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { WebhookStatus } from './webhook-status.tsx'
import { type Webhook, type WebhookEventType, webhooksQuery } from './webhooks-query.ts'

const t = translator('webhooks')
const tApp = translator('app')

export function WebhooksPage() {
  const query = useQuery(webhooksQuery)
  const hasWebhooks = query.data !== undefined && query.data.length > 0
  return (
    <Page title={t('webhooks')} actions={<Actions hasWebhooks={hasWebhooks} />}>
      <Loaded query={query}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty title={t('none')} text={t('noneText')}>
              <NewWebhookLink />
            </Empty>
          ) : (
            <WebhooksTable webhooks={webhooks} />
          )
        }
      </Loaded>
    </Page>
  )
}

const Actions = ({ hasWebhooks }: { hasWebhooks: boolean }) => (
  <>
    <Link to="/tokens" className={buttonClass()}>
      <Icon name="key" />
      {tApp('tokens')}
    </Link>
    {hasWebhooks && <NewWebhookLink />}
  </>
)

const WebhooksTable = ({ webhooks }: { webhooks: Webhook[] }) => (
  <Table
    caption={t('webhooks')}
    rows={webhooks}
    rowKey={({ id }) => id}
    columns={[
      {
        head: t('name'),
        cell: ({ id, name, url }) => (
          <span className="webhooks-name">
            <Link to="/webhooks/$webhookId" params={{ webhookId: String(id) }} dir="auto">
              {name}
            </Link>
            <bdi className="webhooks-url">{url}</bdi>
          </span>
        ),
      },
      { head: t('toldOf'), cell: ({ events }) => <EventTypeList events={events} />, isWideOnly: true },
      { head: t('howItGoes'), cell: (webhook) => <WebhookStatus webhook={webhook} /> },
    ]}
  />
)

const maxShownTypes = 3

function EventTypeList({ events }: { events: WebhookEventType[] }) {
  const shownTypes = events.length <= maxShownTypes ? events : events.slice(0, maxShownTypes - 1)
  return (
    <span className="webhooks-types">
      {shownTypes.map((type) => (
        <code key={type}>{type}</code>
      ))}
      {shownTypes.length < events.length && <span>{t('andMore', { count: events.length - shownTypes.length })}</span>}
    </span>
  )
}

const NewWebhookLink = () =>
  useHasPermission()('settings.edit') && (
    <Link to="/webhooks/new" className={buttonClass('primary')}>
      <Icon name="plus" />
      {t('newWebhook')}
    </Link>
  )
