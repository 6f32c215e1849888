import { expect, test } from 'vitest'
import { isLocalLink } from './share-urls.ts'

test.each([
  'localhost',
  'gallery.localhost',
  'LOCALHOST:34100',
  '127.0.0.1:3000',
  '127.8.0.1',
  '[::1]:3000',
  '[0:0::1]',
])('recognizes %s as a local address', (host) => expect(isLocalLink(`http://${host}/gallery/a/b`)).toBe(true))

test.each([
  'photos.example.com',
  'localhost.example.com',
  'mylocalhost',
  '192.168.0.127',
  '[::2]',
  '127.0.0.1.example.com',
])('does not take %s for a local address', (host) => expect(isLocalLink(`https://${host}/gallery/a/b`)).toBe(false))
