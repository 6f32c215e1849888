import { expect, test } from 'vitest'
import { createVerdicts, type ProbeResults } from './proxy-verdicts.ts'

const browser = {
  protocol: 'https:',
  host: 'photos.example.com',
  hostname: 'photos.example.com',
  origin: 'https://photos.example.com',
}
const okResults: ProbeResults = {
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
  clockOffsetSeconds: 0.4,
}

/** Returns the `wording` of each verdict that is not ok, with the lines that fix the problem. */
const findProblems = (results: Partial<ProbeResults>, facts: Partial<ProbeResults['facts']> = {}, at = {}) =>
  createVerdicts({ ...okResults, ...results, facts: { ...okResults.facts, ...facts } }, { ...browser, ...at })
    .filter(({ status }) => status !== 'ok')
    .map(({ wording, lines = [] }) => [wording, ...lines.map(({ line }) => line)])

test('the connection to the service is ok with a proxy configured as in deploy/', () => {
  expect(findProblems({})).toEqual([])
  const checks = createVerdicts(okResults, browser).map(({ check }) => check)
  expect(checks.join(' ')).toBe('secure host visitor links body range stream clock')
})

test('the connection to the service is ok without a proxy on localhost, but not encrypted elsewhere', () => {
  const facts = { scheme: 'http', trust_proxy: 'off', forwarding_headers: [], public_url: null }
  const local = { protocol: 'http:', host: 'localhost:3000', hostname: 'localhost' }
  expect(findProblems({}, { ...facts, host: 'localhost:3000' }, local)).toEqual([])
  const remote = { protocol: 'http:', host: '192.0.2.1:3000', hostname: '192.0.2.1' }
  expect(findProblems({}, { ...facts, host: '192.0.2.1:3000' }, remote)).toEqual([
    ['plain', '192.0.2.1:3000 {\n\treverse_proxy 127.0.0.1:3000\n}'],
  ])
})

test('the connection to the service needs a trusted proxy that sends the forwarding headers', () => {
  expect(findProblems({}, { trust_proxy: 'off', scheme: 'http' })).toEqual([
    ['schemeLost', 'TRUST_PROXY=1'],
    ['untrusted', 'TRUST_PROXY=1'],
  ])
  expect(findProblems({}, { scheme: 'http', forwarding_headers: ['x-forwarded-for'] })).toEqual([
    ['schemeLost', 'proxy_set_header X-Forwarded-Proto $scheme;', 'TRUST_PROXY=1'],
  ])
  expect(findProblems({}, { forwarding_headers: ['x-forwarded-proto'] })).toEqual([
    ['untold', 'proxy_set_header X-Forwarded-For $remote_addr;'],
  ])
})

test('the connection to the service gives the line for a lost host and for links to another address', () => {
  expect(findProblems({}, { host: 'proofroom' })).toEqual([
    ['hostLost', 'proxy_set_header Host $http_host;', 'header_up Host {hostport}'],
  ])
  expect(findProblems({}, { public_url: 'https://old.example.com' })).toEqual([
    ['linksElsewhere', 'PUBLIC_URL=https://photos.example.com'],
  ])
})

test('the connection to the service gives the line for failed bodies, ranges and streams', () => {
  const body = ['client_max_body_size 0;', 'request_body']
  expect(findProblems({ body: { hasArrived: false, status: 413 } })).toEqual([['bodyRefused', ...body]])
  expect(findProblems({ body: { hasArrived: false, status: null } })).toEqual([['bodyBroken', ...body]])
  for (const [range, wording] of [
    ['whole', 'rangeWhole'],
    ['changed', 'rangeChanged'],
    ['none', 'rangeNone'],
  ] as const) {
    expect(findProblems({ range })).toEqual([[wording, 'proxy_cache off;\ngzip off;', 'encode']])
  }
  const stream = ['proxy_buffering off;\nproxy_read_timeout 300s;', 'flush_interval -1']
  expect(findProblems({ stream: 'held back' })).toEqual([['streamHeld', ...stream]])
  expect(findProblems({ stream: 'none' })).toEqual([['streamNone', ...stream]])
})

test('the connection to the service warns of clocks that differ by more than 30 seconds', () => {
  expect(findProblems({ clockOffsetSeconds: 30 })).toEqual([])
  expect(findProblems({ clockOffsetSeconds: 31 })).toEqual([['clockAhead', 'timedatectl set-ntp true']])
  expect(findProblems({ clockOffsetSeconds: -95 })).toEqual([['clockBehind', 'timedatectl set-ntp true']])
})
