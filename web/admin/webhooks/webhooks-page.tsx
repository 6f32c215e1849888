import './webhooks.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sayIn } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { buttonClass } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { HowItGoes } from './how-it-goes.tsx'
import { type Webhook, type WebhookEventType, webhooksQuery } from './webhooks-query.ts'

const say = sayIn('webhooks')

export function WebhooksPage() {
  const query = useQuery(webhooksQuery)
  const isAny = query.data !== undefined && query.data.length > 0
  return (
    <Page title={say('webhooks')} actions={isAny && <NewWebhook />}>
      <Loaded query={query}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty title={say('none')} text={say('noneText')}>
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
    caption={say('webhooks')}
    rows={webhooks}
    rowKey={({ id }) => id}
    columns={[
      {
        head: say('name'),
        cell: ({ id, name, url }) => (
          <span className="webhooks-name">
            <Link to="/webhooks/$webhookId" params={{ webhookId: String(id) }} dir="auto">
              {name}
            </Link>
            <bdi className="webhooks-url">{url}</bdi>
          </span>
        ),
      },
      { head: say('toldOf'), cell: ({ events }) => <ToldOf events={events} />, isExtra: true },
      { head: say('howItGoes'), cell: (webhook) => <HowItGoes webhook={webhook} /> },
    ]}
  />
)

const maxNamed = 3

function ToldOf({ events }: { events: WebhookEventType[] }) {
  const named = events.length <= maxNamed ? events : events.slice(0, maxNamed - 1)
  return (
    <span className="webhooks-types">
      {named.map((type) => (
        <code key={type}>{type}</code>
      ))}
      {named.length < events.length && <span>{say('andMore', { count: events.length - named.length })}</span>}
    </span>
  )
}

function NewWebhook() {
  const may = useMay()
  return (
    may('settings.edit') && (
      <Link to="/webhooks/new" className={buttonClass('primary')}>
        <Icon name="plus" />
        {say('newWebhook')}
      </Link>
    )
  )
}
