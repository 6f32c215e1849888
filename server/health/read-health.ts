import { setTimeout as pause } from 'node:timers/promises'
import {
  type HealthItem,
  healthStatuses,
  type InstanceHealth,
  type ProxyFacts,
} from '../../contract/instance/health.ts'
import { withTimeout } from '../platform/background/with-timeout.ts'
import { isoTime, seconds } from '../platform/time/clock.ts'
import { version } from '../platform/version.ts'
import type { AppContext } from '../settings/app-context.ts'
import { checkBackup } from './backup-checks.ts'
import { fail, type HealthFormatter } from './health-formatter.ts'
import { checkImports } from './import-checks.ts'
import { checkAddress, checkNodes, checkProxy, checkSecrets } from './instance-checks.ts'
import { checkDatabase, checkDisk, checkQuarantine, checkStorage, checkSweep } from './storage-checks.ts'
import { checkDecoders, checkImageWorkers, checkMail, checkVideos, checkWebhooks } from './work-checks.ts'

type Check = (ctx: AppContext, formatter: HealthFormatter, proxyFacts: ProxyFacts) => Promise<HealthItem> | HealthItem

/** The checks by the key of their item, in display order. */
const checks: Record<string, Check> = {
  database: checkDatabase,
  nodes: checkNodes,
  storage: checkStorage,
  disk: checkDisk,
  sweep: checkSweep,
  lost_and_found: checkQuarantine,
  backup: checkBackup,
  mail: checkMail,
  webhooks: checkWebhooks,
  address: checkAddress,
  proxy: checkProxy,
  secrets: checkSecrets,
  image_workers: checkImageWorkers,
  imports: checkImports,
  videos: checkVideos,
  decoders: checkDecoders,
}

/** Runs all checks. A check that throws or exceeds its time is reported as a failed item. */
export async function readHealth(
  ctx: AppContext,
  formatter: HealthFormatter,
  proxyFacts: ProxyFacts,
): Promise<InstanceHealth> {
  // A failure is ignored here, because `checkDatabase` reports an unavailable database.
  const warningsRead = ctx.warnings.read().catch(() => undefined)
  await Promise.race([warningsRead, pause(seconds(1), undefined, { ref: false })])
  const items = await Promise.all(
    Object.entries(checks).map(([key, check]) =>
      runCheck(ctx, formatter, key, () => check(ctx, formatter, proxyFacts)),
    ),
  )
  const now = ctx.clock.now()
  return {
    status: healthStatuses.findLast((status) => items.some((item) => item.status === status)) ?? 'ok',
    version,
    node: process.versions.node,
    started_at: isoTime(now - seconds(Math.round(process.uptime()))),
    checked_at: isoTime(now),
    items,
  }
}

const checkTimeoutMs = seconds(5)

async function runCheck(ctx: AppContext, formatter: HealthFormatter, key: string, check: () => ReturnType<Check>) {
  try {
    return await withTimeout(Promise.resolve(check()), checkTimeoutMs)
  } catch (err) {
    ctx.log.error({ err, check: key }, 'A check of the health page failed')
    return { key, ...fail(formatter.t('unanswered'), formatter.t('unansweredFix')), facts: {} }
  }
}
