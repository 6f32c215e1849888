import type { HealthItem } from '../../contract/health.ts'
import type { AppContext } from '../settings/app-context.ts'
import { countOverdue } from '../webhooks/delivery/overdue-deliveries.ts'
import type { HealthFormatter } from './health-formatter.ts'

const failingThreshold = 5
const maxNames = 3

export async function checkWebhooks({ db, clock }: AppContext, formatter: HealthFormatter): Promise<HealthItem> {
  const active = await db
    .selectFrom('webhooks')
    .select(['name', 'consecutive_failures'])
    .where('active', '=', 1)
    .orderBy('id')
    .execute()
  const failing = active.filter((row) => row.consecutive_failures >= failingThreshold).map(({ name }) => name)
  const overdue = await countOverdue(db, clock.now())
  const facts = { active: active.length, failing: failing.length, failing_names: failing.join(', '), overdue }
  return { key: 'webhooks', ...describeWebhooks(formatter, active.length, failing, overdue), facts }
}

type CheckMessage = Pick<HealthItem, 'status' | 'text' | 'fix'>

function describeWebhooks(
  formatter: HealthFormatter,
  active: number,
  failing: string[],
  overdue: number,
): CheckMessage {
  const { t } = formatter
  if (overdue > 0) {
    return { status: 'warn', text: t('webhooksOverdue', { count: overdue }), fix: t('webhooksOverdueFix') }
  }
  if (failing.length > 0) {
    const text = t('webhooksFail', { count: failing.length, names: formatNames(formatter, failing) })
    return { status: 'warn', text, fix: t('webhooksFailFix') }
  }
  const text = active === 0 ? t('webhooksNone') : t('webhooksServed', { count: active })
  return { status: 'ok', text, fix: null }
}

function formatNames({ t }: HealthFormatter, failing: string[]): string {
  const names = failing.slice(0, maxNames).join(', ')
  return failing.length > maxNames ? t('namesAndMore', { names, more: failing.length - maxNames }) : names
}
