import { expect, test } from 'vitest'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../../tests/support/service/test-service.ts'

test('a warning of one node appears on all nodes until any node clears it', async () => {
  const clock = createMovableClock()
  const { warnings: first, config } = await contextForTest({ edges: { clock } })
  const environment = { DATABASE_URL: config.databaseUrl ?? '' }
  const { warnings: second } = await contextForTest({ environment, edges: { clock } })
  first.raise('sweep', { strays: 12, files: 12 })
  await first.read()
  const raised = first.find('sweep')
  clock.advance(60_000)
  second.raise('sweep', { strays: 13, files: 13 })
  await second.read()
  expect(second.find('sweep')).toEqual({ since: raised?.since, facts: { strays: 13, files: 13 } })
  await first.read()
  expect(first.find('sweep')).toEqual(second.find('sweep'))
  second.clear('sweep')
  await second.read()
  await first.read()
  expect([first.find('sweep'), second.find('sweep')]).toEqual([undefined, undefined])
})
