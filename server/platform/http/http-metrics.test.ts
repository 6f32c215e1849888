import { expect, test } from 'vitest'
import { Gauges } from '../background/gauges.ts'
import { addHttpMetrics } from './http-metrics.ts'

test('requests are counted by method, route and status; what a client can invent shares one series', async () => {
  const gauges = new Gauges()
  const metrics = addHttpMetrics(gauges)
  metrics.count('GET', '/health', 200, 2)
  metrics.count('GET', '/health', 200, 3)
  metrics.count('GET', '/health', 503, 3_000)
  for (const method of ['PROPFIND', 'MKCOL', 'LINK']) metrics.count(method, undefined, 404, 1)
  const lines = (await gauges.text()).split('\n')
  expect(lines.filter((line) => line.startsWith('proofroom_http_requests_total'))).toEqual([
    'proofroom_http_requests_total{method="GET",route="/health",status="200"} 2',
    'proofroom_http_requests_total{method="GET",route="/health",status="503"} 1',
    'proofroom_http_requests_total{method="other",route="unknown",status="404"} 3',
  ])
  const duration = 'proofroom_http_request_duration_seconds'
  expect(lines).toContain(`${duration}_bucket{method="GET",route="/health",le="0.005"} 2`)
  expect(lines).toContain(`${duration}_bucket{method="GET",route="/health",le="5"} 3`)
  expect(lines).toContain(`${duration}_count{method="other",route="unknown"} 3`)
})
