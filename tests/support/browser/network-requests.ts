import type { CDPSession, Page } from 'playwright-core'

/**
 * A request of a page. `bytes` is the transferred size, compressed and with headers; 0 until the response is complete.
 */
export type NetworkRequest = {
  path: string
  type: 'Document' | 'Script' | 'Stylesheet' | 'Image' | 'Fetch' | 'Media' | 'Other'
  /** Milliseconds of the browser's clock, like `respondedAt` and `endedAt`, which are 0 until they are known. */
  sentAt: number
  respondedAt: number
  endedAt: number
  bytes: number
}

/** Records the requests of a page. The returned list grows with each request. */
export async function recordNetwork(page: Page): Promise<NetworkRequest[]> {
  const networkRequests = new Map<string, NetworkRequest>()
  const list: NetworkRequest[] = []
  const session = await page.context().newCDPSession(page)
  session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp }) => {
    const { pathname, search } = new URL(request.url)
    if (!request.url.startsWith('http')) return
    const kind = (type === 'XHR' ? 'Fetch' : (type ?? 'Other')) as NetworkRequest['type']
    const one = { path: pathname + search, type: kind, sentAt: timestamp * 1000, respondedAt: 0, endedAt: 0, bytes: 0 }
    networkRequests.set(requestId, one)
    list.push(one)
  })
  session.on('Network.responseReceived', ({ requestId, timestamp }) => {
    const one = networkRequests.get(requestId)
    if (one) one.respondedAt = timestamp * 1000
  })
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const one = networkRequests.get(requestId)
    if (one) Object.assign(one, { endedAt: timestamp * 1000, bytes: encodedDataLength })
  })
  await session.send('Network.enable')
  return list
}

export const sumBytes = (networkRequests: readonly NetworkRequest[]): number =>
  networkRequests.reduce((sum, { bytes }) => sum + bytes, 0)

/** A second session could not change the limit of the first one. */
const limitSessions = new WeakMap<Page, Promise<CDPSession>>()

/** Limits the speed of uploads in bytes per second; -1 removes the limit. */
export async function limitUploads(page: Page, uploadThroughput: number): Promise<void> {
  const session = limitSessions.get(page) ?? page.context().newCDPSession(page)
  limitSessions.set(page, session)
  const others = { offline: false, latency: 0, downloadThroughput: -1 }
  await (await session).send('Network.emulateNetworkConditions', { ...others, uploadThroughput })
}

/**
 * Lets all requests fail whose address matches the pattern, where `*` stands for any text. `page.route` would pass the
 * bodies of all other requests through the test, which takes seconds for each chunk of an upload.
 */
export async function blockRequests(page: Page, pattern: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setBlockedURLs', { urls: [pattern] })
}
