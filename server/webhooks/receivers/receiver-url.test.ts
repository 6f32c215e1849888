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
  test('each invalid URL is rejected, even if local names are allowed', () => {
    for (const [url, reason] of [
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
    ] as const) {
      for (const allowsLocalNames of [false, true]) expect(reasonOf(url, allowsLocalNames), url).toBe(reason)
    }
  })

  test('a local name is rejected unless local names are allowed', () => {
    const names = `localhost localdomain local internal intranet private corp home lan home.arpa postgres nas.localhost
      nas.rack.lan nas.home.arpa`
    for (const host of names.split(/\s+/)) {
      expect(reasonOf(`http://${host}/`), host).toBe(local)
      expect(reasonOf(`http://${host}/`, true), host).toBeNull()
    }
  })
})

test('other URLs are accepted', () => {
  const good = `https://example.com HTTPS://EXAMPLE.COM/hook http://example.com?key=1 http://example.com#part
    http://example.com:80/ http://example.com:8080/hook@home http://local.example.com/ http://example.mylan/
    http://lan.example/ http://home-arpa.example/ http://a_b-1.example.com/ http://${label(63)}.com/
    http://example.${label(63)}/ http://${hostOfLength(253)}/ http://10.0.0.1/ http://[::1]:8080/`
  for (const url of good.split(/\s+/)) {
    expect(reasonOf(url), url).toBeNull()
    expect(parseReceiverUrl(url, false).href).toBe(new URL(url).href)
  }
})

test('the message is a sentence about the URL', () => {
  const error = new RejectedAddress('must have a valid host name')
  expect([error.name, error.message]).toEqual([
    'RejectedAddress',
    'The URL of the receiver must have a valid host name.',
  ])
})

test('the host is the name or the address without brackets', () => {
  const urls = ['http://example.com:8080/', 'http://10.0.0.1/', 'http://[2001:db8::1]:8080/']
  expect(urls.map((url) => getHost(new URL(url)))).toEqual(['example.com', '10.0.0.1', '2001:db8::1'])
})
