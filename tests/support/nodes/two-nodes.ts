import { expect } from 'vitest'
import { type ListeningProxy, startListeningProxy } from '../network/listening-proxy.ts'
import { getPostgresUrl } from '../service/back-ends.ts'
import { serviceForTest, type TestService } from '../service/test-service.ts'

export type TwoNodes = {
  first: TestService
  second: TestService
  /**
   * The proxy between the second node and PostgreSQL. It can stall or cut the connection that listens for
   * notifications.
   */
  listenProxy: ListeningProxy
}

type Options = Parameters<typeof serviceForTest>[0]

export async function startTwoNodes({ environment = {}, edges = {} }: Options = {}): Promise<TwoNodes> {
  const first = await serviceForTest({ environment, edges })
  const { dataDir } = first
  const listenProxy = await startListeningProxy(getPostgresUrl(dataDir) ?? '')
  const ofSecond = { DATA_DIR: dataDir, DATABASE_URL: listenProxy.url }
  const second = await serviceForTest({ environment: { ...environment, ...ofSecond }, edges })
  expect(second.url).not.toBe(first.url)
  return { first, second, listenProxy }
}
