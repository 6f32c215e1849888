import { expect, test } from 'vitest'
import { Gauges } from './gauges.ts'

test('metrics have the Prometheus format; one that fails does not affect the others', async () => {
  const gauges = new Gauges()
  gauges.add(
    { name: 'proofroom_lamps', help: 'Lamps that burn.', type: 'gauge', read: () => 3 },
    { name: 'proofroom_broken', help: 'Nobody knows.', type: 'gauge', read: () => Promise.reject(new Error('no')) },
    { name: 'proofroom_knocks_total', help: 'Knocks at the door.', type: 'counter', read: async () => 41 },
  )
  const family = (name: string, help: string, type: string, value: string) =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`
  expect(await gauges.text()).toBe(
    [
      family('proofroom_lamps', 'Lamps that burn.', 'gauge', '3'),
      family('proofroom_broken', 'Nobody knows.', 'gauge', 'NaN'),
      family('proofroom_knocks_total', 'Knocks at the door.', 'counter', '41'),
    ].join('\n'),
  )
})
