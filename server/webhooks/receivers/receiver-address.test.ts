import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { catchAppErrorAsync } from '../../../tests/support/clients/app-errors.ts'
import { readConfig } from '../../platform/configuration/config.ts'
import { type AddressContext, assertReceiverUrl, resolveReceiver, UnresolvedName } from './receiver-address.ts'
import { RejectedAddress } from './receiver-url.ts'

const strict = readConfig({})
const lenient = readConfig({ WEBHOOK_ALLOW_PRIVATE_URLS: 'true' })

const publicIPv4 = '93.184.215.14'
const publicIPv6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c'

/** A fake DNS. Each name returns its lists of addresses one after the other, and repeats the last one. */
function internet(names: Record<string, string[][]>, config = strict): AddressContext & { asked: string[] } {
  const asked: string[] = []
  return {
    config,
    asked,
    async resolve(name) {
      asked.push(name)
      const answers = names[name] ?? []
      const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? []
      if (addresses.length === 0) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  }
}

/** Public names that resolve to addresses of any kind. */
const strangers = {
  'example.com': [[publicIPv4, publicIPv6]],
  'localtest.me': [['127.0.0.1', '::1']],
  '10.0.0.5.nip.io': [['10.0.0.5']],
  'metadata.goog': [['169.254.169.254']],
  'mixed.example.com': [[publicIPv4, '192.168.1.1']],
  'mixed-last.example.com': [[publicIPv6, publicIPv4, 'fd00::1']],
  'mapped.example.com': [['::ffff:10.1.2.3']],
  'scoped.example.com': [['fe80::1%eth0']],
  'odd.example.com': [['not an address']],
}

describe('rejects', () => {
  const list = (urls: string) => urls.trim().split(/\s+/)
  /** IPv4 in many notations, then IPv6 and forms that contain an IPv4 address. */
  const addresses = list(`
    http://127.0.0.1/ http://127.0.0.1./ http://127.1/ http://127.255.255.254:8080/hook http://2130706433/
    http://0x7f000001/ http://0x7f.0.0.1/ http://0177.0.0.1/ http://017700000001/ http://%31%32%37.0.0.1/
    http://①②⑦.⓪.⓪.①/ http://127。0。0。1/ http://0/ http://0.0.0.0:3000/ http://10.0.0.1/ http://167772161/
    http://172.16.0.1/ http://172.31.255.255/ http://192.168.0.1/ http://0300.0250.1/ http://100.64.0.1/
    http://100.100.100.200/latest/meta-data/ http://169.254.169.254/latest/meta-data/ http://0xa9fea9fe/latest/
    http://168.63.129.16/machine http://192.0.0.192/opc/v2/ http://192.0.2.1/ http://192.88.99.1/ http://198.18.0.1/
    http://198.51.100.1/ http://203.0.113.1/ http://224.0.0.1/ http://239.255.255.250/ http://240.0.0.1/
    http://255.255.255.255/
    http://[::]/ http://[::1]/ http://[0:0:0:0:0:0:0:1]:8080/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/
    http://[::ffff:${publicIPv4}]/ http://[::127.0.0.1]/ http://[::ffff:0:127.0.0.1]/ http://[64:ff9b::127.0.0.1]/
    http://[64:ff9b::a9fe:a9fe]/ http://[64:ff9b:1::10.0.0.1]/ http://[2002:7f00:1::]/
    http://[2001:0:53aa:64c:0:0:f5ff:fffe]/ http://[2001:db8::1]/ http://[3fff::1]/ http://[5f00::1]/ http://[100::1]/
    http://[fc00::1]/ http://[fd00:ec2::254]/latest/meta-data/ http://[fe80::1]/ http://[fec0::1]/ http://[ff02::1]/`)
  const localNames = list(`
    http://localhost/ http://LOCALHOST:3000/ http://ｌｏｃａｌｈｏｓｔ/ http://%6c%6f%63alhost/ http://local\u00adhost/
    http://hooks.localhost/ http://localhost.localdomain/ http://ip6-localhost/ http://postgres:8080/
    http://metadata.google.internal/computeMetadata/v1/ http://host.docker.internal/ http://printer.local/
    http://router.lan/ http://nas.home.arpa/`)
  const neverGood = [
    ...list(`
    http://localhost./ http://example.com./ http://example.com../ http://a..example.com/ http://${'a'.repeat(64)}.com/
    http://*.example.com/ http://example.com:0/ http://example.com:22/ http://example.com:25/ http://example.com:6000/
    https://example.com:993/ http://example.com:65536/ http://user@example.com/ http://user:password@example.com/
    http://@example.com/ http://example.com@127.0.0.1/ http://example.com\\@127.0.0.1/ http://127.0.0.1\\@example.com/
    http://256.256.256.256/ http://example.1/ http://[fe80::1%25eth0]/ http://[::1%lo]/ http://[::1/ http:example.com
    http:///example.com/ //example.com/ example.com ftp://example.com/ file:///etc/passwd gopher://example.com/1
    ws://example.com/ unix:/var/run/docker.sock data:text/plain,hello javascript:alert(1)`),
    ...['', 'http://exam\tple.com/', ' http://example.com/', 'http://example.com/\r\nX-Header: 1'],
  ]
  const names = Object.keys(strangers)
    .filter((name) => name !== 'example.com')
    .map((name) => `https://${name}/hook`)

  test('invalid URLs without a DNS lookup, and public names that resolve to private addresses', async () => {
    const rules = internet(strangers)
    for (const url of [...addresses, ...localNames, ...neverGood])
      await expect(resolveReceiver(rules, url), url).rejects.toThrow(RejectedAddress)
    expect(rules.asked).toEqual([])
    for (const url of names) await expect(resolveReceiver(rules, url), url).rejects.toThrow(RejectedAddress)
    for (const url of [...addresses, ...localNames, ...neverGood, ...names]) {
      const appError = await catchAppErrorAsync(() => assertReceiverUrl(internet(strangers), url))
      expect(appError?.code, url).toBe('VALIDATION_ERROR')
      expect(appError?.extras.details?.[0]?.path).toBe('url')
    }
  })

  test('URLs that are never good, even if WEBHOOK_ALLOW_PRIVATE_URLS is true', async () => {
    for (const url of neverGood)
      await expect(resolveReceiver(internet(strangers, lenient), url), url).rejects.toThrow(RejectedAddress)
  })

  test('private addresses and local names, unless WEBHOOK_ALLOW_PRIVATE_URLS is true', async () => {
    const anything = { ...internet({}, lenient), resolve: internet({ any: [['10.1.2.3']] }).resolve.bind(null, 'any') }
    for (const url of [...addresses, ...localNames]) await assertReceiverUrl(anything, url)
  })
})

describe('accepts', () => {
  const anywhere: AddressContext = { config: strict, resolve: async () => [{ address: publicIPv4, family: 4 }] }

  test('public names and addresses over http and https', async () => {
    const good = `https://example.com http://example.com/ HTTPS://EXAMPLE.COM/Hook?key=1&x=%2F#part
      https://example.com:8443/hook http://example.com:3000/hook@home https://example.com/?mail=a@b.example
      https://münchen.example/hook https://xn--mnchen-3ya.example/hook https://hooks_1.example.com/
      https://a.b.c.d.e.example.com/ https://local.example.com/ https://localhost.example.com/ http://8.8.8.8/
      http://172.15.255.255/ http://172.32.0.0/ http://100.128.0.0:8080/ http://134744072/
      http://[${publicIPv6}]:8080/hook`
    for (const url of good.split(/\s+/)) {
      await assertReceiverUrl(anywhere, url)
      expect((await resolveReceiver(anywhere, url)).addresses, url).toHaveLength(1)
    }
  })

  test('a name that does not resolve yet, or resolves to no address', async () => {
    const url = 'https://soon.example.com/'
    const empty: AddressContext = { config: strict, resolve: async () => [] }
    for (const rules of [internet({}), empty]) {
      await assertReceiverUrl(rules, url)
      await expect(resolveReceiver(rules, url)).rejects.toThrow(UnresolvedName)
    }
    const message = 'The host name of the receiver cannot be resolved.'
    await expect(resolveReceiver(internet({}), url)).rejects.toThrow(message)
  })

  test('a name whose name servers do not respond for 5 seconds', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const silent: AddressContext = { config: strict, resolve: () => new Promise(() => {}) }
    const checked = assertReceiverUrl(silent, 'https://example.com/').then(() => 'passed')
    await vi.advanceTimersByTimeAsync(4900)
    expect(await Promise.race([checked, 'waiting'])).toBe('waiting')
    await vi.advanceTimersByTimeAsync(100)
    expect(await checked).toBe('passed')
    // A check that ends earlier leaves no timer. Other services of this process may have some.
    const before = vi.getTimerCount()
    await assertReceiverUrl(anywhere, 'https://example.com/')
    expect(vi.getTimerCount()).toBe(before)
  })

  test('an IP address without a DNS lookup', async () => {
    const rules = internet({})
    const { url, addresses } = await resolveReceiver(rules, `http://[${publicIPv6}]:8080/hook`)
    expect(addresses).toEqual([{ address: publicIPv6, family: 6 }])
    expect(url.port).toBe('8080')
    expect((await resolveReceiver(rules, 'http://8.8.8.8/')).addresses).toEqual([{ address: '8.8.8.8', family: 4 }])
    expect(rules.asked).toEqual([])
  })

  test('all addresses of a name, in the order of the DNS response', async () => {
    const { addresses } = await resolveReceiver(internet(strangers), 'https://example.com/')
    expect(addresses.map(({ address }) => address)).toEqual([publicIPv4, publicIPv6])
  })
})

test('looks up and checks a name each time', async () => {
  const rules = internet({ 'rebinding.example.com': [[publicIPv4], ['127.0.0.1'], [publicIPv4]] })
  const url = 'https://rebinding.example.com/'
  await assertReceiverUrl(rules, url)
  await expect(resolveReceiver(rules, url)).rejects.toThrow(RejectedAddress)
  expect((await resolveReceiver(rules, url)).addresses).toEqual([{ address: publicIPv4, family: 4 }])
})

test('a rejection has a reason, which reveals neither the address nor the URL', async () => {
  const reject = (url: string) => catchAppErrorAsync(() => assertReceiverUrl(internet(strangers), url))
  const hidden = await reject('https://mixed.example.com/secret')
  expect(JSON.stringify([hidden?.message, hidden?.extras])).not.toMatch(/192\.168|mixed|secret/)
  const hint = '(set WEBHOOK_ALLOW_PRIVATE_URLS to allow this)'
  for (const [url, message] of [
    ['http://10.0.0.1/', `must not lead to a private or reserved address ${hint}`],
    ['http://example.com:22/', 'must not use a port that belongs to another protocol'],
  ] as const) {
    expect((await reject(url))?.extras.details).toEqual([{ path: 'url', message }])
  }
})

test('rethrows a defect unchanged', async () => {
  const broken: AddressContext = {
    config: strict,
    resolve: () => {
      throw new TypeError('broken')
    },
  }
  await expect(assertReceiverUrl(broken, 'https://example.com/')).rejects.toThrow(TypeError)
})
