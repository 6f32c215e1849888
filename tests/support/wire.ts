import type { Page } from 'playwright-core'

/** What a page asked for and what came over the line, headers and all, compressed as it was. */
export type Carried = {
  path: string
  type: 'Document' | 'Script' | 'Stylesheet' | 'Image' | 'Fetch' | 'Media' | 'Other'
  /** In milliseconds of a clock of their own; 0 until then. */
  askedAt: number
  answeredAt: number
  endedAt: number
  bytes: number
}

/** Listens from now on; what has come is added as it comes. */
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
