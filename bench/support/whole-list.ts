import { readTree, waitUntilQuiet, watchMemory } from './process-tree.ts'
import type { Server } from './server-process.ts'

/** `grownBytes` is the peak of the service's memory during the response, minus the memory before. */
export type WholeList = { ms: number; bytes: number; grownBytes: number }

/** Reads the response at `bytesPerSecond`, by default at full speed. */
export async function readWholeList(
  service: Server,
  path: string,
  token: string,
  bytesPerSecond = Number.POSITIVE_INFINITY,
): Promise<WholeList> {
  await waitUntilQuiet(service.pid)
  const before = readTree(service.pid).residentBytes
  const peak = watchMemory(service.pid)
  const begin = performance.now()
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  if (!answer.ok || !answer.body) throw new Error(`${path} answers ${answer.status}`)
  let bytes = 0
  for await (const chunk of answer.body) {
    bytes += chunk.length
    const aheadMs = (1000 * bytes) / bytesPerSecond - (performance.now() - begin)
    if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs))
  }
  return { ms: performance.now() - begin, bytes, grownBytes: peak() - before }
}
