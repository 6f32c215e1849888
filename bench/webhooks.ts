/**
 * Measures latency and throughput of webhook deliveries, also while some receivers hang, and the time that webhooks add
 * to a change.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnNode } from './support/children.ts'
import { lastEnvelope, pendingDeliveries, queueDeliveryRows } from './support/delivery-rows.ts'
import { type Figure, formatValue, printTable } from './support/figures.ts'
import { measurePairs, medians, ratios } from './support/pairs.ts'
import { bySize, type Plan } from './support/plan.ts'
import { clockMs, type ReceivedPost, type Receivers, startReceivers } from './support/receivers.ts'
import { median, quantile } from './support/statistics.ts'
import { startWebhookService, type WebhookService } from './support/webhook-service.ts'

const receiverCount = 50
const hangingCount = 5
const attemptsAtOnce = 16
const changesPerSecond = 4

type Part = (plan: Plan, receivers: Receivers) => Promise<Figure[]>

export async function measureWebhooks(plan: Plan): Promise<Figure[]> {
  const receivers = await startReceivers(receiverCount)
  const figures: Figure[] = []
  for (const measure of [measureIdle, measureSustained, measureBesideHanging, measureManyWebhooks] as Part[]) {
    figures.push(...(await measure(plan, receivers)))
  }
  return figures
}

async function measureIdle(plan: Plan, receivers: Receivers): Promise<Figure[]> {
  const service = await startWebhookService(plan, 'webhooks-idle')
  const [port = 0] = receivers.ports
  await service.subscribe(port)
  const fromRequest: number[] = []
  const fromAnswer: number[] = []
  const changes = bySize(plan, { full: 100, quick: 20, smallest: 2 })
  for (let index = -5; index < changes; index++) {
    await sleep(60)
    const { sentMs, answeredMs } = await timedChange(service, `Idle ${index}`)
    const [receivedPost] = await receivers.take(1)
    if (index < 0 || !receivedPost) continue
    fromRequest.push(receivedPost.atMs - sentMs)
    fromAnswer.push(receivedPost.atMs - answeredMs)
  }
  await service.server.stop()
  printTable([
    ['one change at a time', 'median', 'p99'],
    ['from the request to the receipt', ...formatTimes(fromRequest)],
    ['from the answer to the receipt', ...formatTimes(fromAnswer)],
  ])
  return [
    {
      name: 'webhooks: idle, from the request to the receipt',
      unit: 'ms',
      samples: fromRequest,
      target: { bound: 'at most', value: 20 },
    },
    { name: 'webhooks: idle, from the answer to the receipt', unit: 'ms', samples: fromAnswer },
  ]
}

/** Compares the delivery of a queue, filled by another process, with plain POST requests to the same receiver. */
async function measureSustained(plan: Plan, receivers: Receivers): Promise<Figure[]> {
  const service = await startWebhookService(plan, 'webhooks-sustained')
  const count = bySize(plan, { full: 4_000, quick: 1_000, smallest: 20 })
  const [port = 0] = receivers.ports
  const webhookId = await service.subscribe(port)
  await service.rename('Sustained')
  await receivers.take(1)

  const body = lastEnvelope(service.dataDir)
  const limit = async () => {
    const perSecond = await runPostBaseline(port, body, count)
    await receivers.take(count)
    return perSecond
  }
  const deliveries = async () => {
    queueDeliveryRows(service.dataDir, webhookId, count)
    const receivedPosts = await receivers.take(count)
    if (receivedPosts.length > count) throw new Error(`${receivedPosts.length} posts for ${count} deliveries`)
    while (pendingDeliveries(service.dataDir) > 0) await sleep(50)
    return ((count - 1) * 1000) / getTimeSpanMs(receivedPosts)
  }
  const pairs = await measurePairs(Math.min(plan.pairs, 5), limit, deliveries)
  await service.server.stop()
  const rates = medians(pairs, (rate) => rate)
  const share = ratios(pairs, (rate) => rate)
  printTable([
    [`${count} to one receiver, per second`, 'bare posts', 'service', 'ratio', 'target'],
    [
      '',
      formatValue(rates.limit, '/s'),
      formatValue(rates.service, '/s'),
      formatValue(median(share), 'x'),
      '>= 400 /s',
    ],
  ])
  return [
    {
      name: 'webhooks: deliveries to one receiver',
      unit: '/s',
      samples: pairs.map((pair) => pair.service),
      target: { bound: 'at least', value: 400 },
    },
    { name: 'webhooks: deliveries to one receiver / bare posts', unit: 'x', samples: share },
  ]
}

/** Measures deliveries to the same receivers twice: without other receivers, and beside other receivers that hang. */
async function measureBesideHanging(plan: Plan, receivers: Receivers): Promise<Figure[]> {
  const service = await startWebhookService(plan, 'webhooks-hanging')
  const hanging = receivers.ports.slice(0, hangingCount)
  const others = new Set(receivers.ports.slice(hangingCount))
  for (const port of others) await service.subscribe(port)
  const changes = bySize(plan, { full: 20, quick: 8, smallest: 1 })
  const pace = (name: string) => latenciesAtPace(service, receivers, others, { name, changes })

  let round = 0
  const without = () => pace(`Round ${++round} without`)
  const beside = async () => {
    const webhooks = await Promise.all(hanging.map(service.subscribe))
    for (let index = 0; index < attemptsAtOnce; index++) {
      await service.rename(`Round ${round} before ${index}`)
      await receivers.take(receiverCount)
    }
    await receivers.hang(hanging)
    const latencies = await pace(`Round ${round} beside`)
    await receivers.hang([])
    await Promise.all(webhooks.map(service.unsubscribe))
    await sleep(500)
    return latencies
  }
  const pairs = await measurePairs(plan.pairs, without, beside)
  await service.server.stop()
  const at = (share: number) => (latencies: number[]) => quantile(latencies, share)
  const shares = [
    { name: 'median', share: 0.5 },
    { name: 'p95', share: 0.95 },
  ]
  printTable([
    [`${others.size} receivers`, 'without', `beside ${hangingCount} that hang`, 'target'],
    ...shares.map(({ name, share }) => {
      const times = medians(pairs, at(share))
      return [name, formatValue(times.limit, 'ms'), formatValue(times.service, 'ms'), '<= 1.50 x']
    }),
  ])
  return shares.map(
    ({ name, share }): Figure => ({
      name: `webhooks: ${others.size} receivers beside ${hangingCount} that hang / without, ${name}`,
      unit: 'x',
      samples: ratios(pairs, at(share)),
      target: { bound: 'at most', value: 1.5 },
    }),
  )
}

/** Alternates the same change in a service without webhooks and in one with many. */
async function measureManyWebhooks(plan: Plan, receivers: Receivers): Promise<Figure[]> {
  const manyWebhooks = bySize(plan, { full: 100, quick: 100, smallest: 5 })
  const withoutWebhooks = await startWebhookService(plan, 'webhooks-none')
  const withWebhooks = await startWebhookService(plan, 'webhooks-many')
  for (let index = 0; index < manyWebhooks; index++) {
    await withWebhooks.subscribe(receivers.ports[index % receiverCount] ?? 0)
  }
  let changes = 0
  const measureChange = async (service: WebhookService, receivedPosts: number) => {
    const { sentMs, answeredMs } = await timedChange(service, `Many ${++changes}`)
    await receivers.take(receivedPosts)
    await sleep(50)
    return answeredMs - sentMs
  }
  const pairs = await measurePairs(
    bySize(plan, { full: 60, quick: 15, smallest: 1 }),
    () => measureChange(withoutWebhooks, 0),
    () => measureChange(withWebhooks, manyWebhooks),
  )
  await withoutWebhooks.server.stop()
  await withWebhooks.server.stop()
  const times = medians(pairs, (ms) => ms)
  printTable([
    ['one change', 'tells nobody', `tells ${manyWebhooks} webhooks`, 'target'],
    ['', formatValue(times.limit, 'ms'), formatValue(times.service, 'ms'), '<= 5.0 ms more'],
  ])
  return [
    {
      name: `webhooks: what ${manyWebhooks} webhooks add to a change`,
      unit: 'ms',
      samples: pairs.map(({ limit, service }) => service - limit),
      target: { bound: 'at most', value: 5 },
    },
  ]
}

async function timedChange(service: WebhookService, name: string): Promise<{ sentMs: number; answeredMs: number }> {
  const sentMs = clockMs()
  await service.rename(name)
  return { sentMs, answeredMs: clockMs() }
}

/** Returns milliseconds from the request of each change to its delivery at each of the `counted` receivers. */
async function latenciesAtPace(
  service: WebhookService,
  receivers: Receivers,
  counted: ReadonlySet<number>,
  { name, changes }: { name: string; changes: number },
): Promise<number[]> {
  const sentMs = new Map<string, number>()
  const latencies: number[] = []
  const recordLatencies = (receivedPosts: ReceivedPost[]) => {
    for (const { port, subject, atMs } of receivedPosts) {
      const sent = sentMs.get(subject)
      if (sent !== undefined && counted.has(port)) latencies.push(atMs - sent)
    }
  }
  const begin = clockMs()
  for (let index = 0; index < changes; index++) {
    await sleep(Math.max(0, begin + (index * 1000) / changesPerSecond - clockMs()))
    const subject = `${name} ${index}`
    sentMs.set(subject, (await timedChange(service, subject)).sentMs)
  }
  const end = clockMs() + 60_000
  while (latencies.length < changes * counted.size) {
    if (clockMs() > end) throw new Error(`${latencies.length} deliveries of ${changes} changes have arrived`)
    recordLatencies(await receivers.take(0))
    await sleep(20)
  }
  return latencies
}

async function runPostBaseline(port: number, body: string, count: number): Promise<number> {
  const limit = join(import.meta.dirname, 'limits/webhooks.ts')
  const args = [limit, `http://127.0.0.1:${port}/hooks`, body, String(count), String(attemptsAtOnce)]
  const child = spawnNode(args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(Buffer.concat((await child.stdout?.toArray()) ?? []).toString()).perSecond
}

const getTimeSpanMs = (receivedPosts: readonly ReceivedPost[]): number => {
  const times = receivedPosts.map(({ atMs }) => atMs)
  return Math.max(...times) - Math.min(...times)
}

const formatTimes = (times: readonly number[]): string[] => [
  formatValue(median(times), 'ms'),
  formatValue(quantile(times, 0.99), 'ms'),
]
