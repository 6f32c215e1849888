import './webhooks.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { translator } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { buttonClass } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { HowItGoes } from './how-it-goes.tsx'
import { type Webhook, type WebhookEventType, webhooksQuery } from './webhooks-query.ts'

const t = translator('webhooks')

export function WebhooksPage() {
  const query = useQuery(webhooksQuery)
  const isAny = query.data !== undefined && query.data.length > 0
  return (
    <Page title={t('webhooks')} actions={isAny && <NewWebhook />}>
      <Loaded query={query}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty title={t('none')} text={t('noneText')}>
              <NewWebhook />
            </Empty>
          ) : (
            <WebhooksTable webhooks={webhooks} />
          )
        }
      </Loaded>
    </Page>
  )
}

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
      { head: t('toldOf'), cell: ({ events }) => <EventTypeList events={events} />, isExtra: true },
      { head: t('howItGoes'), cell: (webhook) => <HowItGoes webhook={webhook} /> },
    ]}
  />
)

const maxNamed = 3

function EventTypeList({ events }: { events: WebhookEventType[] }) {
  const named = events.length <= maxNamed ? events : events.slice(0, maxNamed - 1)
  return (
    <span className="webhooks-types">
      {named.map((type) => (
        <code key={type}>{type}</code>
      ))}
      {named.length < events.length && <span>{t('andMore', { count: events.length - named.length })}</span>}
    </span>
  )
}

function NewWebhook() {
  const may = useMay()
  return (
    may('settings.edit') && (
      <Link to="/webhooks/new" className={buttonClass('primary')}>
        <Icon name="plus" />
        {t('newWebhook')}
      </Link>
    )
  )
}
