import { expect, test } from 'vitest'
import { Gauges } from './gauges.ts'

test('metrics have the Prometheus format; one that fails does not affect the others', async () => {
  const gauges = new Gauges()
  gauges.add(
    { name: 'proofroom_jobs', help: 'Running jobs.', type: 'gauge', read: () => 3 },
    { name: 'proofroom_broken', help: 'Cannot be read.', type: 'gauge', read: () => Promise.reject(new Error('no')) },
    { name: 'proofroom_requests_total', help: 'Requests of this process.', type: 'counter', read: async () => 41 },
  )
  const family = (name: string, help: string, type: string, value: string) =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`
  expect(await gauges.text()).toBe(
    [
      family('proofroom_jobs', 'Running jobs.', 'gauge', '3'),
      family('proofroom_broken', 'Cannot be read.', 'gauge', 'NaN'),
      family('proofroom_requests_total', 'Requests of this process.', 'counter', '41'),
    ].join('\n'),
  )
})
