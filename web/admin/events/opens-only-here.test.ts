import { expect, test } from 'vitest'
import { opensOnlyHere } from './opens-only-here.ts'

test.each([
  'localhost',
  'gallery.localhost',
  'LOCALHOST:34100',
  '127.0.0.1:3000',
  '127.8.0.1',
  '[::1]:3000',
  '[0:0::1]',
])('a link to %s opens on this machine alone', (host) => expect(opensOnlyHere(`http://${host}/gallery/a/b`)).toBe(true))

test.each([
  'photos.example.com',
  'localhost.example.com',
  'mylocalhost',
  '192.168.0.127',
  '[::2]',
  '127.0.0.1.example.com',
])('a link to %s opens elsewhere too', (host) => expect(opensOnlyHere(`https://${host}/gallery/a/b`)).toBe(false))
