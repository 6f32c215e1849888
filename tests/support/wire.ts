import type { Page } from 'playwright-core'

/** A request of a page, and the transferred bytes including headers, as compressed. */
export type Carried = {
  path: string
  type: 'Document' | 'Script' | 'Stylesheet' | 'Image' | 'Fetch' | 'Media' | 'Other'
  /** Milliseconds of the browser's clock; 0 until known. */
  askedAt: number
  answeredAt: number
  endedAt: number
  bytes: number
}

/** Records the requests of a page. The returned list grows while they arrive. */
export async function listenToWire(page: Page): Promise<Carried[]> {
  const carried = new Map<string, Carried>()
  const list: Carried[] = []
  const session = await page.context().newCDPSession(page)
  session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp }) => {
    const { pathname, search } = new URL(request.url)
    if (!request.url.startsWith('http')) return
    const kind = (type === 'XHR' ? 'Fetch' : (type ?? 'Other')) as Carried['type']
    const one = { path: pathname + search, type: kind, askedAt: timestamp * 1000, answeredAt: 0, endedAt: 0, bytes: 0 }
    carried.set(requestId, one)
    list.push(one)
  })
  session.on('Network.responseReceived', ({ requestId, timestamp }) => {
    const one = carried.get(requestId)
    if (one) one.answeredAt = timestamp * 1000
  })
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const one = carried.get(requestId)
    if (one) Object.assign(one, { endedAt: timestamp * 1000, bytes: encodedDataLength })
  })
  await session.send('Network.enable')
  return list
}

export const bytesOf = (carried: readonly Carried[]): number => carried.reduce((sum, { bytes }) => sum + bytes, 0)
