import { expect, test } from 'vitest'
import { linkReach } from './link-reach.ts'

const hosts = {
  computer: [
    'localhost',
    'localhost.',
    'gallery.localhost',
    'LOCALHOST:34100',
    '127.0.0.1:3000',
    '127.8.0.1',
    '127.1',
    '0.0.0.0',
    '[::1]:3000',
    '[0:0::1]',
    '[::ffff:127.0.0.1]',
  ],
  network: [
    '10.0.0.7',
    '192.168.0.127',
    '172.16.0.1',
    '172.31.255.255',
    '169.254.1.1',
    '100.64.0.1',
    '100.127.9.9',
    '[fd00::7]',
    '[fe80::1]',
    'studio.local',
    'studio.local.',
    'nas.home.arpa',
    'photos.internal',
    'nas:3000',
    'mylocalhost',
  ],
  internet: [
    'photos.example.com',
    'localhost.example.com',
    'local.example.com',
    '127.0.0.1.a.b',
    '10.example.com',
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '[2001:db8::1]',
    '[::2]',
    '[fc::1]',
  ],
}

test.each(Object.entries(hosts))('addresses that reach: %s', (reach, named) => {
  for (const host of named) expect(linkReach(`http://${host}/gallery/a/b`), host).toBe(reach)
})
