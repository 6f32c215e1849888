import { expect, test } from 'vitest'
import { canUseStoredPassword, type MailServer, toFields, toServerBody } from './mail-server-fields.ts'

const stored: MailServer = {
  server: { host: 'mail.example.com', port: 465, security: 'tls', user_name: 'ana', has_password: true },
  server_source: 'app',
  sender: null,
  sender_source: 'derived',
  used_sender: 'ana@example.com',
  derived_sender: 'ana@example.com',
  sendable_mails: 0,
}
const fields = toFields(stored)
const withoutPassword: MailServer = {
  ...stored,
  server: { host: 'mail.example.com', port: 465, security: 'tls', user_name: 'ana', has_password: false },
}

test('the fields are those of the stored server, without its password; a server of the environment is not filled in', () => {
  expect(fields).toEqual({ host: 'mail.example.com', port: 465, security: 'tls', userName: 'ana', password: '' })
  expect(toFields({ ...stored, server_source: 'environment' }).host).toBe('')
})

test('the stored password counts for the same server and user only', () => {
  expect(canUseStoredPassword(fields, stored)).toBe(true)
  const others = [{ host: 'other.example.com' }, { port: 587 }, { security: 'none' }, { userName: 'ben' }] as const
  for (const other of others) expect(canUseStoredPassword({ ...fields, ...other }, stored)).toBe(false)
  expect(canUseStoredPassword(fields, withoutPassword)).toBe(false)
})

test('an empty password is left out, and removed with the user name', () => {
  expect(toServerBody(fields)).toEqual({ host: 'mail.example.com', port: 465, security: 'tls', user_name: 'ana' })
  expect(toServerBody({ ...fields, password: 'secret' })).toMatchObject({ password: 'secret' })
  expect(toServerBody({ ...fields, userName: '', password: 'secret' })).toMatchObject({
    user_name: null,
    password: null,
  })
})
