import type { Page } from 'playwright-core'

type TraceEvent = { ph: string; name: string; pid: number; tid: number; tdur?: number; args?: { name?: string } }

/** Returns the processor time of each main-thread task during `action`, in milliseconds. */
export async function mainThreadTasks(page: Page, action: () => Promise<unknown>): Promise<number[]> {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['toplevel'] })
  await action()
  const trace = (await browser?.stopTracing()) ?? Buffer.from('{}')
  const { traceEvents = [] }: { traceEvents?: TraceEvent[] } = JSON.parse(trace.toString())
  const mainThreads = new Set(
    traceEvents.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args?.name === 'CrRendererMain' ? [`${pid}:${tid}`] : [],
    ),
  )
  return traceEvents
    .filter(({ name, ph, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && mainThreads.has(`${pid}:${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000)
}
