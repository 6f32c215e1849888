import { expect, test } from 'vitest'
import { isLocalLink } from './share-urls.ts'

test('recognizes local addresses', () => {
  const local = [
    'localhost',
    'gallery.localhost',
    'LOCALHOST:34100',
    '127.0.0.1:3000',
    '127.8.0.1',
    '[::1]:3000',
    '[0:0::1]',
  ]
  for (const host of local) expect(isLocalLink(`http://${host}/gallery/a/b`), host).toBe(true)
  const others = [
    'photos.example.com',
    'localhost.example.com',
    'mylocalhost',
    '192.168.0.127',
    '[::2]',
    '127.0.0.1.a.b',
  ]
  for (const host of others) expect(isLocalLink(`https://${host}/gallery/a/b`), host).toBe(false)
})
