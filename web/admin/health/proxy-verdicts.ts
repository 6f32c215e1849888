import type { ProxyFacts } from '../../../contract/instance/health.ts'
import type { AdminMessageKey } from '../../../locales/catalogs.ts'
import { type FixLine, isLocalHostname } from './fix-lines.ts'

export type ProbeResults = {
  facts: ProxyFacts
  /** The result of a request as large as an upload chunk. `status` is null if the connection was lost. */
  body: { hasArrived: boolean; status: number | null }
  range: 'whole' | 'piece' | 'changed' | 'none'
  stream: 'at once' | 'held back' | 'none'
  /** The clock of the service minus the clock of the browser. */
  clockOffsetSeconds: number
}

export type BrowserLocation = { protocol: string; host: string; hostname: string; origin: string }

export type Verdict = {
  check: 'secure' | 'host' | 'visitor' | 'links' | 'body' | 'range' | 'stream' | 'clock'
  status: 'ok' | 'warn' | 'fail'
  wording: Wording
  values?: Record<string, string | number>
  lines?: readonly FixLine[]
}

type Wording =
  AdminMessageKey<'health'> extends infer Key ? (Key extends `way_${infer Ending}` ? Ending : never) : never

type Finding = Omit<Verdict, 'check'>

/** Returns one verdict for each check, in the order of the list; none for links if PUBLIC_URL is not set. */
export function createVerdicts({ facts, ...results }: ProbeResults, browser: BrowserLocation): Verdict[] {
  const findings: Array<[Verdict['check'], Finding | null]> = [
    ['secure', secureVerdict(facts, browser)],
    ['host', hostVerdict(facts, browser)],
    ['visitor', visitorVerdict(facts)],
    ['links', linksVerdict(facts, browser)],
    ['body', bodyVerdict(results.body)],
    ['range', rangeVerdict(results.range)],
    ['stream', streamVerdict(results.stream)],
    ['clock', clockVerdict(results.clockOffsetSeconds)],
  ]
  return findings.flatMap(([check, finding]) => (finding ? [{ check, ...finding }] : []))
}

const trustOneProxy: FixLine = { where: 'environment', line: 'TRUST_PROXY=1' }

function secureVerdict(
  { scheme, forwarding_headers: headers }: ProxyFacts,
  { protocol, host, hostname }: BrowserLocation,
): Finding {
  if (protocol === 'http:') {
    if (isLocalHostname(hostname)) return { status: 'ok', wording: 'local' }
    const line = `${host} {\n\treverse_proxy 127.0.0.1:3000\n}`
    return { status: 'warn', wording: 'plain', lines: [{ where: 'caddy', line }] }
  }
  if (scheme === 'https') return { status: 'ok', wording: 'secure' }
  const forwardScheme: FixLine = { where: 'nginx', line: 'proxy_set_header X-Forwarded-Proto $scheme;' }
  const lines = headers.includes('x-forwarded-proto') ? [trustOneProxy] : [forwardScheme, trustOneProxy]
  return { status: 'fail', wording: 'schemeLost', lines }
}

function hostVerdict({ host }: ProxyFacts, browser: BrowserLocation): Finding {
  if (host === browser.host) return { status: 'ok', wording: 'host', values: { host } }
  return {
    status: 'fail',
    wording: 'hostLost',
    values: { host, expected: browser.host },
    lines: [
      { where: 'nginx', line: 'proxy_set_header Host $http_host;' },
      { where: 'caddy', line: 'header_up Host {hostport}' },
    ],
  }
}

function visitorVerdict({ address, peer_address, trust_proxy, forwarding_headers: headers }: ProxyFacts): Finding {
  const values = { address }
  if (headers.length > 0 && trust_proxy === 'off') {
    return { status: 'fail', wording: 'untrusted', values, lines: [trustOneProxy] }
  }
  if (trust_proxy !== 'off' && !headers.includes('x-forwarded-for') && !headers.includes('forwarded')) {
    const line = 'proxy_set_header X-Forwarded-For $remote_addr;'
    return { status: 'warn', wording: 'untold', values, lines: [{ where: 'nginx', line }] }
  }
  const isProxied = headers.length > 0 && address !== peer_address
  return { status: 'ok', wording: isProxied ? 'behind' : 'direct', values }
}

/** Returns null if PUBLIC_URL is not set, because the health page already reports that. */
function linksVerdict({ public_url: url }: ProxyFacts, { origin }: BrowserLocation): Finding | null {
  if (url === null) return null
  if (new URL(url).origin === origin) return { status: 'ok', wording: 'links', values: { url } }
  const lines = [{ where: 'environment', line: `PUBLIC_URL=${origin}` }] as const
  return { status: 'warn', wording: 'linksElsewhere', values: { url, origin }, lines }
}

function bodyVerdict({ hasArrived, status }: ProbeResults['body']): Finding {
  if (hasArrived) return { status: 'ok', wording: 'body' }
  return {
    status: 'fail',
    wording: status === null ? 'bodyBroken' : 'bodyRefused',
    values: { status: String(status ?? '') },
    lines: [
      { where: 'nginx', line: 'client_max_body_size 0;' },
      { where: 'caddyWithout', line: 'request_body' },
    ],
  }
}

const rangeLines: readonly FixLine[] = [
  { where: 'nginx', line: 'proxy_cache off;\ngzip off;' },
  { where: 'caddyWithout', line: 'encode' },
]

function rangeVerdict(range: ProbeResults['range']): Finding {
  if (range === 'piece') return { status: 'ok', wording: 'range' }
  const wording = ({ whole: 'rangeWhole', changed: 'rangeChanged', none: 'rangeNone' } as const)[range]
  return { status: range === 'none' ? 'fail' : 'warn', wording, lines: rangeLines }
}

function streamVerdict(stream: ProbeResults['stream']): Finding {
  if (stream === 'at once') return { status: 'ok', wording: 'stream' }
  return {
    status: 'warn',
    wording: stream === 'held back' ? 'streamHeld' : 'streamNone',
    lines: [
      { where: 'nginx', line: 'proxy_buffering off;\nproxy_read_timeout 300s;' },
      { where: 'caddy', line: 'flush_interval -1' },
    ],
  }
}

/** Authenticator apps compute a new one-time password every 30 seconds, so the clock of the service must be right. */
const maxClockOffsetSeconds = 30

function clockVerdict(clockOffsetSeconds: number): Finding {
  const count = Math.round(Math.abs(clockOffsetSeconds))
  if (count <= maxClockOffsetSeconds) return { status: 'ok', wording: 'clock' }
  const lines = [{ where: 'shell', line: 'timedatectl set-ntp true' }] as const
  return {
    status: 'warn',
    wording: clockOffsetSeconds > 0 ? 'clockAhead' : 'clockBehind',
    values: { count },
    lines,
  }
}
