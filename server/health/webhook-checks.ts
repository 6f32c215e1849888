import type { HealthItem } from '../../contract/health.ts'
import type { House } from '../settings/house.ts'
import { countOverdue } from '../webhooks/overdue-deliveries.ts'

const failsAgainAndAgain = 5
const mostNames = 3

export async function checkWebhooks({ db, clock }: House): Promise<HealthItem> {
  const active = await db
    .selectFrom('webhooks')
    .select(['name', 'consecutive_failures'])
    .where('active', '=', 1)
    .orderBy('id')
    .execute()
  const failing = active.filter((row) => row.consecutive_failures >= failsAgainAndAgain).map(({ name }) => name)
  const overdue = await countOverdue(db, clock.now())
  const facts = { active: active.length, failing: failing.length, failing_names: failing.join(', '), overdue }
  return { key: 'webhooks', ...webhookWords(active.length, failing, overdue), facts }
}

type Words = Pick<HealthItem, 'status' | 'text' | 'fix'>

function webhookWords(active: number, failing: string[], overdue: number): Words {
  if (overdue > 0) {
    const wait = overdue === 1 ? '1 delivery of a webhook waits' : `${overdue} deliveries of webhooks wait`
    const fix = 'The log may tell why. Where there is simply too much to send, raise WEBHOOK_DELIVERY_CONCURRENCY.'
    return { status: 'warn', text: `${wait} for more than 5 minutes to be sent.`, fix }
  }
  if (failing.length > 0) {
    const fail = failing.length === 1 ? '1 webhook fails' : `${failing.length} webhooks fail`
    const fix = 'Look at the last error of its deliveries, and switch off what nobody needs any more.'
    return { status: 'warn', text: `${fail} again and again: ${namesOf(failing)}.`, fix }
  }
  if (active === 0) return { status: 'ok', text: 'No webhook is set up or switched on.', fix: null }
  return { status: 'ok', text: active === 1 ? '1 webhook is served.' : `${active} webhooks are served.`, fix: null }
}

function namesOf(failing: string[]): string {
  const named = failing.slice(0, mostNames).join(', ')
  return failing.length > mostNames ? `${named} and ${failing.length - mostNames} more` : named
}
