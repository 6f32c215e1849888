import { describe, expect, test } from 'vitest'
import { type ProbeResults, verdictsOf } from './proxy-verdicts.ts'

const place = {
  protocol: 'https:',
  host: 'photos.example.com',
  hostname: 'photos.example.com',
  origin: 'https://photos.example.com',
}
const well: ProbeResults = {
  facts: {
    scheme: 'https',
    host: 'photos.example.com',
    address: '198.51.100.7',
    peer_address: '10.0.0.2',
    public_url: 'https://photos.example.com',
    trust_proxy: '1',
    forwarding_headers: ['x-forwarded-for', 'x-forwarded-proto'],
    now: '2027-06-20T12:00:00.000Z',
  },
  body: { hasArrived: true, status: 200 },
  range: 'piece',
  stream: 'at once',
  aheadSeconds: 0.4,
}

/** What is said of all that is not well, and the lines that mend it. */
const wrong = (results: Partial<ProbeResults>, facts: Partial<ProbeResults['facts']> = {}, at = {}) =>
  verdictsOf({ ...well, ...results, facts: { ...well.facts, ...facts } }, { ...place, ...at })
    .filter(({ status }) => status !== 'ok')
    .map(({ wording, lines = [] }) => [wording, ...lines.map(({ line }) => line)])

describe('the way to the service', () => {
  test('is well behind a proxy as the files of deploy/ have it', () => {
    expect(wrong({})).toEqual([])
    expect(verdictsOf(well, place).map(({ check }) => check)).toEqual([
      'secure',
      'host',
      'visitor',
      'links',
      'body',
      'range',
      'stream',
      'clock',
    ])
  })

  test('is well without one on the machine itself, and not encrypted elsewhere', () => {
    const facts = { scheme: 'http', trust_proxy: 'off', forwarding_headers: [], public_url: null }
    const local = { protocol: 'http:', host: 'localhost:3000', hostname: 'localhost' }
    expect(wrong({}, { ...facts, host: 'localhost:3000' }, local)).toEqual([])
    const there = { protocol: 'http:', host: '192.0.2.1:3000', hostname: '192.0.2.1' }
    expect(wrong({}, { ...facts, host: '192.0.2.1:3000' }, there)).toEqual([
      ['plain', '192.0.2.1:3000 {\n\treverse_proxy 127.0.0.1:3000\n}'],
    ])
  })

  test('leads past who is asking where the proxy is not trusted, or tells nothing', () => {
    expect(wrong({}, { trust_proxy: 'off', scheme: 'http' })).toEqual([
      ['schemeLost', 'TRUST_PROXY=1'],
      ['untrusted', 'TRUST_PROXY=1'],
    ])
    expect(wrong({}, { scheme: 'http', forwarding_headers: ['x-forwarded-for'] })).toEqual([
      ['schemeLost', 'proxy_set_header X-Forwarded-Proto $scheme;', 'TRUST_PROXY=1'],
    ])
    expect(wrong({}, { forwarding_headers: ['x-forwarded-proto'] })).toEqual([
      ['untold', 'proxy_set_header X-Forwarded-For $remote_addr;'],
    ])
  })

  test('names the line for a host that gets lost and for links that lead elsewhere', () => {
    expect(wrong({}, { host: 'proofroom' })).toEqual([
      ['hostLost', 'proxy_set_header Host $http_host;', 'header_up Host {hostport}'],
    ])
    expect(wrong({}, { public_url: 'https://old.example.com' })).toEqual([
      ['linksElsewhere', 'PUBLIC_URL=https://photos.example.com'],
    ])
  })

  test('names the line for what is refused, cut up or held back', () => {
    const body = ['client_max_body_size 0;', 'request_body']
    expect(wrong({ body: { hasArrived: false, status: 413 } })).toEqual([['bodyRefused', ...body]])
    expect(wrong({ body: { hasArrived: false, status: null } })).toEqual([['bodyBroken', ...body]])
    for (const [range, wording] of [
      ['whole', 'rangeWhole'],
      ['changed', 'rangeChanged'],
      ['none', 'rangeNone'],
    ] as const) {
      expect(wrong({ range })).toEqual([[wording, 'proxy_cache off;\ngzip off;', 'encode']])
    }
    const stream = ['proxy_buffering off;\nproxy_read_timeout 300s;', 'flush_interval -1']
    expect(wrong({ stream: 'held back' })).toEqual([['streamHeld', ...stream]])
    expect(wrong({ stream: 'none' })).toEqual([['streamNone', ...stream]])
  })

  test('tells of clocks that are more than half a minute apart', () => {
    expect(wrong({ aheadSeconds: 30 })).toEqual([])
    expect(wrong({ aheadSeconds: 31 })).toEqual([['clockAhead', 'timedatectl set-ntp true']])
    expect(wrong({ aheadSeconds: -95 })).toEqual([['clockBehind', 'timedatectl set-ntp true']])
  })
})
