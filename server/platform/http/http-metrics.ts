import type { Gauges, Sample } from '../background/gauges.ts'
import { Histogram } from '../background/histogram.ts'

export type HttpMetrics = {
  /** `route`: a pattern, never a path, so that the number of series is bounded; undefined for unknown paths. */
  count: (method: string, route: string | undefined, status: number, milliseconds: number) => void
}

type Series = { labels: { method: string; route: string }; durations: Histogram; statuses: Map<number, number> }

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const unknownRoute = 'unknown'

/** Adds the requests of this process and their durations, by method and route, to the metrics. */
export function addHttpMetrics(gauges: Gauges): HttpMetrics {
  const byRoute = new Map<string, Map<string, Series>>()

  function findSeries(method: string, route: string): Series {
    const byMethod = byRoute.get(route) ?? new Map<string, Series>()
    byRoute.set(route, byMethod)
    // A client can invent methods for paths without a route.
    const label = methods.has(method) ? method : 'other'
    const series = byMethod.get(label) ?? {
      labels: { method: label, route },
      durations: new Histogram(),
      statuses: new Map(),
    }
    byMethod.set(label, series)
    return series
  }

  const all = (): Series[] => [...byRoute.values()].flatMap((byMethod) => [...byMethod.values()])
  gauges.add(
    {
      name: 'proofroom_http_requests_total',
      help: 'Requests of this process by method, route pattern and status.',
      type: 'counter',
      read: () => all().flatMap(countByStatus),
    },
    {
      name: 'proofroom_http_request_duration_seconds',
      help: 'Time from the headers of a request to the last byte of its response.',
      type: 'histogram',
      read: () => all().flatMap(({ labels, durations }) => durations.samples(labels)),
    },
  )

  return {
    count(method, route = unknownRoute, status, milliseconds) {
      const { statuses, durations } = byRoute.get(route)?.get(method) ?? findSeries(method, route)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      durations.observe(milliseconds / 1000)
    },
  }
}

const countByStatus = ({ labels, statuses }: Series): Sample[] =>
  [...statuses].map(([status, value]) => ({ labels: { ...labels, status: String(status) }, value }))
