import type { ProxyFacts } from '../../../contract/health.ts'
import { type FixLine, isLocalHostname } from './fix-lines.ts'

export type ProbeResults = {
  facts: ProxyFacts
  /** For a body as large as a chunk. `status` is null where the connection broke. */
  body: { hasArrived: boolean; status: number | null }
  range: 'whole' | 'piece' | 'changed' | 'none'
  stream: 'at once' | 'held back' | 'none'
  /** Clock of the service minus clock of the browser. */
  clockOffsetSeconds: number
}

export type BrowserLocation = { protocol: string; host: string; hostname: string; origin: string }

export type Verdict = {
  check: 'secure' | 'host' | 'visitor' | 'links' | 'body' | 'range' | 'stream' | 'clock'
  status: 'ok' | 'warn' | 'fail'
  /** The message key is `way_<wording>`. */
  wording: Wording
  values?: Record<string, string | number>
  lines?: readonly FixLine[]
}

type Wording =
  | 'local'
  | 'plain'
  | 'secure'
  | 'schemeLost'
  | 'host'
  | 'hostLost'
  | 'untrusted'
  | 'untold'
  | 'behind'
  | 'direct'
  | 'links'
  | 'linksElsewhere'
  | 'body'
  | 'bodyRefused'
  | 'bodyBroken'
  | 'range'
  | 'rangeWhole'
  | 'rangeChanged'
  | 'rangeNone'
  | 'stream'
  | 'streamHeld'
  | 'streamNone'
  | 'clock'
  | 'clockAhead'
  | 'clockBehind'

/** Returns one verdict for each check, basic problems first. */
export const createVerdicts = (results: ProbeResults, browser: BrowserLocation): Verdict[] => [
  secureVerdict(results.facts, browser),
  hostVerdict(results.facts, browser),
  visitorVerdict(results.facts),
  ...linksVerdict(results.facts, browser),
  bodyVerdict(results.body),
  rangeVerdict(results.range),
  streamVerdict(results.stream),
  clockVerdict(results.clockOffsetSeconds),
]

const trustOneProxy: FixLine = { where: 'environment', line: 'TRUST_PROXY=1' }

function secureVerdict(
  { scheme, forwarding_headers: headers }: ProxyFacts,
  { protocol, host, hostname }: BrowserLocation,
): Verdict {
  const check = 'secure'
  if (protocol === 'http:') {
    if (isLocalHostname(hostname)) return { check, status: 'ok', wording: 'local' }
    const line = `${host} {\n\treverse_proxy 127.0.0.1:3000\n}`
    return { check, status: 'warn', wording: 'plain', lines: [{ where: 'caddy', line }] }
  }
  if (scheme === 'https') return { check, status: 'ok', wording: 'secure' }
  const forwardScheme: FixLine = { where: 'nginx', line: 'proxy_set_header X-Forwarded-Proto $scheme;' }
  const lines = headers.includes('x-forwarded-proto') ? [trustOneProxy] : [forwardScheme, trustOneProxy]
  return { check, status: 'fail', wording: 'schemeLost', lines }
}

function hostVerdict({ host }: ProxyFacts, browser: BrowserLocation): Verdict {
  const check = 'host'
  if (host === browser.host) return { check, status: 'ok', wording: 'host', values: { host } }
  return {
    check,
    status: 'fail',
    wording: 'hostLost',
    values: { host, expected: browser.host },
    lines: [
      { where: 'nginx', line: 'proxy_set_header Host $http_host;' },
      { where: 'caddy', line: 'header_up Host {hostport}' },
    ],
  }
}

function visitorVerdict({ address, peer_address, trust_proxy, forwarding_headers: headers }: ProxyFacts): Verdict {
  const check = 'visitor'
  const values = { address }
  if (headers.length > 0 && trust_proxy === 'off') {
    return { check, status: 'fail', wording: 'untrusted', values, lines: [trustOneProxy] }
  }
  if (trust_proxy !== 'off' && !headers.includes('x-forwarded-for') && !headers.includes('forwarded')) {
    const line = 'proxy_set_header X-Forwarded-For $remote_addr;'
    return { check, status: 'warn', wording: 'untold', values, lines: [{ where: 'nginx', line }] }
  }
  const isProxied = headers.length > 0 && address !== peer_address
  return { check, status: 'ok', wording: isProxied ? 'behind' : 'direct', values }
}

/** Empty where PUBLIC_URL is not set: the health page reports that already. */
function linksVerdict({ public_url: url }: ProxyFacts, { origin }: BrowserLocation): Verdict[] {
  const check = 'links'
  if (url === null) return []
  if (new URL(url).origin === origin) return [{ check, status: 'ok', wording: 'links', values: { url } }]
  const lines = [{ where: 'environment', line: `PUBLIC_URL=${origin}` }] as const
  return [{ check, status: 'warn', wording: 'linksElsewhere', values: { url, origin }, lines }]
}

function bodyVerdict({ hasArrived, status }: ProbeResults['body']): Verdict {
  const check = 'body'
  if (hasArrived) return { check, status: 'ok', wording: 'body' }
  return {
    check,
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

function rangeVerdict(range: ProbeResults['range']): Verdict {
  const check = 'range'
  if (range === 'piece') return { check, status: 'ok', wording: 'range' }
  const wording = ({ whole: 'rangeWhole', changed: 'rangeChanged', none: 'rangeNone' } as const)[range]
  return { check, status: range === 'none' ? 'fail' : 'warn', wording, lines: rangeLines }
}

function streamVerdict(stream: ProbeResults['stream']): Verdict {
  const check = 'stream'
  if (stream === 'at once') return { check, status: 'ok', wording: 'stream' }
  return {
    check,
    status: 'warn',
    wording: stream === 'held back' ? 'streamHeld' : 'streamNone',
    lines: [
      { where: 'nginx', line: 'proxy_buffering off;\nproxy_read_timeout 300s;' },
      { where: 'caddy', line: 'flush_interval -1' },
    ],
  }
}

/** A code of a second factor is valid for 30 seconds. */
const maxClockOffsetSeconds = 30

function clockVerdict(clockOffsetSeconds: number): Verdict {
  const check = 'clock'
  const count = Math.round(Math.abs(clockOffsetSeconds))
  if (count <= maxClockOffsetSeconds) return { check, status: 'ok', wording: 'clock' }
  const lines = [{ where: 'shell', line: 'timedatectl set-ntp true' }] as const
  return {
    check,
    status: 'warn',
    wording: clockOffsetSeconds > 0 ? 'clockAhead' : 'clockBehind',
    values: { count },
    lines,
  }
}
