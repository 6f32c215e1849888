import { describe, expect, test } from 'vitest'
import { getHost, parseReceiverUrl, RejectedAddress } from './receiver-url.ts'

/** Returns null for an accepted URL. */
function reasonOf(url: string, allowsLocalNames = false): string | null {
  try {
    parseReceiverUrl(url, allowsLocalNames)
    return null
  } catch (error) {
    if (error instanceof RejectedAddress) return error.reason
    throw error
  }
}

const noAddress = 'must be a URL such as https://example.com/hook'
const credentials = 'must not contain a user name or password'
const port = 'must not use a port that belongs to another protocol'
const lastDot = 'must not end its host name with a dot'
const impossible = 'must have a valid host name'
const local = 'must not use a host of a local network (set WEBHOOK_ALLOW_PRIVATE_URLS to allow this)'

const label = (length: number) => 'a'.repeat(length)
/** Returns a host name of this length, in labels of at most 50 characters. */
const hostOfLength = (length: number) =>
  `${label(50)}.`
    .repeat(5)
    .slice(0, 250 - 3)
    .concat('.', label(length - 248))

describe('with a reason that names the problem', () => {
  test.each([
    ['', noAddress],
    ['example.com', noAddress],
    ['ftp://example.com/', noAddress],
    ['xhttp://example.com/', noAddress],
    ['http://example.com/a b', noAddress],
    ['http://exam\tple.com/', noAddress],
    ['http://example.com\\path', noAddress],
    ['http://example.com/\\path', noAddress],
    ['http://example.com/\u0001', noAddress],
    ['http://example.com\u0001/', noAddress],
    ['http:///example.com', noAddress],
    ['http://[::1', noAddress],
    ['http://example.com:65536/', noAddress],
    ['http://user@example.com/', credentials],
    ['http://user:secret@10.0.0.1/', credentials],
    ['http://example.com:0/', port],
    ['http://10.0.0.1:22/', port],
    ['https://example.com:10080/', port],
    ['http://example.com./', lastDot],
    ['http://localhost./', lastDot],
    ['http://*.example.com/', impossible],
    ['http://a..example.com/', impossible],
    ['http://.example.com/', impossible],
    [`http://${label(64)}.com/`, impossible],
    [`http://example.${label(64)}/`, impossible],
    [`http://${hostOfLength(254)}/`, impossible],
  ])('%j is rejected even if local names are allowed', (url, reason) => {
    expect(reasonOf(url, false)).toBe(reason)
    expect(reasonOf(url, true)).toBe(reason)
  })

  test.each([
    'localhost',
    'localdomain',
    'local',
    'internal',
    'intranet',
    'private',
    'corp',
    'home',
    'lan',
    'home.arpa',
    'postgres',
    'nas.localhost',
    'nas.rack.lan',
    'nas.home.arpa',
  ])('%s is rejected unless local names are allowed', (host) => {
    expect(reasonOf(`http://${host}/`)).toBe(local)
    expect(reasonOf(`http://${host}/`, true)).toBeNull()
  })
})

test.each([
  'https://example.com',
  'HTTPS://EXAMPLE.COM/hook',
  'http://example.com?key=1',
  'http://example.com#part',
  'http://example.com:80/',
  'http://example.com:8080/hook@home',
  'http://local.example.com/',
  'http://example.mylan/',
  'http://lan.example/',
  'http://home-arpa.example/',
  'http://a_b-1.example.com/',
  `http://${label(63)}.com/`,
  `http://example.${label(63)}/`,
  `http://${hostOfLength(253)}/`,
  'http://10.0.0.1/',
  'http://[::1]:8080/',
])('%s is accepted', (url) => {
  expect(reasonOf(url)).toBeNull()
  expect(parseReceiverUrl(url, false).href).toBe(new URL(url).href)
})

test('the message is a sentence about the URL', () => {
  const error = new RejectedAddress('must have a valid host name')
  expect([error.name, error.message]).toEqual([
    'RejectedAddress',
    'The URL of the receiver must have a valid host name.',
  ])
})

test.each([
  ['http://example.com:8080/', 'example.com'],
  ['http://10.0.0.1/', '10.0.0.1'],
  ['http://[2001:db8::1]:8080/', '2001:db8::1'],
])('the host of %s is %s', (url, host) => {
  expect(getHost(new URL(url))).toBe(host)
})
