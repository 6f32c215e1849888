import { expect, test } from 'vitest'
import { Gauges } from './gauges.ts'
import { durationBounds, Histogram } from './histogram.ts'

test('buckets are cumulative, and a duration at a bound belongs to its bucket', () => {
  const histogram = new Histogram()
  for (const seconds of [0, 0.001, 0.0011, 0.3, 31]) histogram.observe(seconds)
  const samples = histogram.samples({ route: '/health' })
  const counts = Object.fromEntries(
    samples.filter(({ suffix }) => suffix === '_bucket').map(({ labels, value }) => [labels?.le, value]),
  )
  expect(counts).toMatchObject({ '0.001': 2, '0.0025': 3, '0.25': 3, '0.5': 4, '30': 4, '+Inf': 5 })
  expect(Object.keys(counts)).toHaveLength(durationBounds.length + 1)
  expect(samples.slice(-2)).toEqual([
    { suffix: '_sum', labels: { route: '/health' }, value: expect.closeTo(31.3021) },
    { suffix: '_count', labels: { route: '/health' }, value: 5 },
  ])
})

test('samples have their labels, escaped', async () => {
  const gauges = new Gauges()
  const labels = { route: '/a/:b', text: 'a "quoted"\n\\ line' }
  gauges.add({
    name: 'proofroom_things',
    help: 'Things.',
    type: 'gauge',
    read: () => [{ labels, value: 2 }, { value: 3 }],
  })
  expect((await gauges.text()).split('\n').slice(2)).toEqual([
    String.raw`proofroom_things{route="/a/:b",text="a \"quoted\"\n\\ line"} 2`,
    'proofroom_things 3',
    '',
  ])
})
