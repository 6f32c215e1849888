import { type MailPort, type MailSecurity, mailPorts } from '../../../contract/instance/mail-server.ts'
import type { Schemas } from '../api/api.ts'

export type MailServer = Schemas['MailServer']

export type MailServerFields = {
  host: string
  port: MailPort
  security: MailSecurity
  userName: string
  /** Empty: the stored password. */
  password: string
}

export const usualPorts: Record<MailSecurity, MailPort> = { starttls: 587, tls: 465, none: 25 }

/** Returns the fields of the stored server, or those of a new one. Never contains a password. */
export function toFields({ server, server_source }: MailServer): MailServerFields {
  if (!server || server_source === 'environment') {
    return { host: '', port: 587, security: 'starttls', userName: '', password: '' }
  }
  const { host, security, user_name } = server
  const port = mailPorts.find((one) => one === server.port) ?? 587
  return { host, port, security: security ?? 'starttls', userName: user_name ?? '', password: '' }
}

/** Returns whether the stored password can be used with these fields. The service uses it for no other server. */
export function canUseStoredPassword(fields: MailServerFields, record: MailServer): boolean {
  const stored = toFields(record)
  const isSame = (['host', 'port', 'security', 'userName'] as const).every((key) => fields[key] === stored[key])
  return isSame && record.server?.has_password === true && record.server_source === 'app'
}

/** Returns the fields as the API expects them. */
export function toServerBody({ host, port, security, userName, password }: MailServerFields) {
  const place = { host: host.trim(), port, security }
  if (userName === '') return { ...place, user_name: null, password: null }
  return { ...place, user_name: userName, ...(password !== '' && { password }) }
}
