import { expect, test } from 'vitest'
import { parseMailAddress, parseSmtpUrl } from './mail-config.ts'

test.each([
  ['smtp://mail.example.com', 'mail.example.com', 587, false],
  ['smtps://mail.example.com', 'mail.example.com', 465, true],
  ['smtps://mail.example.com:2465', 'mail.example.com', 2465, true],
  ['SMTP://mailpit:1025', 'mailpit', 1025, false],
  ['smtp://[::1]:2525', '::1', 2525, false],
])('SMTP_URL parses host, port and encryption of %s', (value, host, port, isSecure) => {
  expect(parseSmtpUrl(value)).toMatchObject({ host, port, isSecure, login: null })
})

test('SMTP_URL has a user and password, percent-encoded', () => {
  expect(parseSmtpUrl('smtp://ana%40studio.example:p%40ss%2Fw%C3%B6rd@mail.example.com').login).toEqual({
    user: 'ana@studio.example',
    password: 'p@ss/wörd',
  })
})

test.each([
  ['smtp://u:p@mail.example.com', 'required', true],
  ['smtp://mail.example.com', 'offered', true],
  ['smtp://u:p@localhost:2525', 'offered', false],
  ['smtp://127.0.0.1:2525', 'offered', false],
  ['smtp://u:p@mail.example.com?tls=off', 'off', true],
  ['smtp://u:p@mail.example.com?tls=unverified', 'required', false],
])('SMTP_URL %s: STARTTLS is %s', (value, startTls, verifiesCertificate) => {
  expect(parseSmtpUrl(value)).toMatchObject({ startTls, verifiesCertificate })
})

test.each([
  'mail.example.com',
  'http://mail.example.com',
  'smtp://',
  'smtp://mail.example.com:65536',
  'smtp://mail.example.com/inbox',
  'smtp://mail.example.com#a',
  'smtp://ana@mail.example.com',
  'smtp://:hidden@mail.example.com',
  'smtp://ana:hidden%zz@mail.example.com',
  'smtp://ana:hidden@mail.example.com?tls=maybe',
  'smtp://ana:hidden@mail.example.com?pool=true',
])('SMTP_URL rejects %s without showing it', (value) => {
  expect(() => parseSmtpUrl(value)).toThrow(/^must (?!.*hidden)/)
})

test.each([
  ['photos@example.com', null, 'photos@example.com'],
  ['Studio Ana <photos@example.com>', 'Studio Ana', 'photos@example.com'],
  ['"Studio, Ana" <photos@example.com>', 'Studio, Ana', 'photos@example.com'],
  ['admin@localhost', null, 'admin@localhost'],
])('MAIL_FROM %s', (value, name, address) => {
  expect(parseMailAddress(value)).toEqual({ name, address })
})

test.each(['nobody', 'a@b@c', 'a@b, c@d', 'Studio <>', 'Studio\r\nBcc: c@d <a@b>', `${'a'.repeat(250)}@b.example`])(
  'MAIL_FROM rejects %j',
  (value) => {
    expect(() => parseMailAddress(value)).toThrow(/^must be an email address/)
  },
)
