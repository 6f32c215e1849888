import { expect, test } from 'vitest'
import { pathBelowAdmin } from './path-below-admin.ts'

const getPath = (back?: string) => pathBelowAdmin(back, 'https://photos.example')

test.each(['/', '/events/7/picks?by=a#b', '/settings/general'])('%s is accepted', (back) => {
  expect(getPath(back)).toBe(`/admin${back}`)
})

test.each([
  undefined,
  '',
  'events',
  '/../..//evil.example/x',
  '/../gallery/x/y',
  '/%2e%2e/gallery',
  '\\\\evil.example',
  '/../administrators',
  '@evil.example',
])('%s gives the start page of the admin app', (back) => {
  expect(getPath(back)).toBe('/admin')
})
