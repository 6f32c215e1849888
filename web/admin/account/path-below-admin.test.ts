import { expect, test } from 'vitest'
import { pathBelowAdmin } from './path-below-admin.ts'

const getPath = (back?: string) => pathBelowAdmin(back, 'https://photos.example')

test('paths of the admin app are accepted, others give its start page', () => {
  for (const back of ['/', '/events/7/picks?by=a#b', '/settings/general']) expect(getPath(back)).toBe(`/admin${back}`)
  const others = ['', 'events', '/../..//evil.example/x', '/../gallery/x/y', '/%2e%2e/gallery', '\\\\evil.example']
  for (const back of [undefined, ...others, '/../administrators', '@evil.example'])
    expect(getPath(back), back).toBe('/admin')
})
