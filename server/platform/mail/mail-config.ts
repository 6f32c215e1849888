import type { MailSecurity } from '../../../contract/instance/mail-server.ts'

export type SmtpServer = {
  host: string
  port: number
  /** True for smtps: TLS from the first byte. */
  isSecure: boolean
  /** For smtp: how STARTTLS is used. */
  startTls: 'required' | 'offered' | 'off'
  verifiesCertificate: boolean
  login: { user: string; password: string } | null
}

export type MailAddress = { name: string | null; address: string }

const schemes = new Map([
  ['smtp:', { isSecure: false, port: 587 }],
  ['smtps:', { isSecure: true, port: 465 }],
])

/** `?tls=off`: no STARTTLS; `?tls=unverified`: any certificate. Throws errors that do not contain the value. */
export function parseSmtpUrl(value: string): SmtpServer {
  const url = URL.parse(value)
  const scheme = url && schemes.get(url.protocol)
  if (!url || !scheme || !url.hostname || url.port === '0' || !/^\/?$/.test(url.pathname) || url.hash) {
    throw new Error('must be an address such as smtp://user:password@mail.example.com:587')
  }
  const user = decodePercent(url.username)
  const password = decodePercent(url.password)
  if ((user === '') !== (password === '')) throw new Error('must have both a user and a password, or neither')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const tls = parseTlsOption(url.searchParams)
  const isLocal = isLocalHost(host)
  // Without `?tls=off`, no password is sent unencrypted to another machine. A local server needs no valid certificate.
  const startTls = user !== '' && !isLocal ? 'required' : 'offered'
  return {
    host,
    port: url.port === '' ? scheme.port : Number(url.port),
    isSecure: scheme.isSecure,
    startTls: tls === 'off' ? 'off' : startTls,
    verifiesCertificate: tls !== 'unverified' && !isLocal,
    login: user === '' ? null : { user, password },
  }
}

/** Returns the server that was entered in the admin app. A local server needs no valid certificate. */
export const toSmtpServer = (
  { host, port, security }: { host: string; port: number; security: MailSecurity },
  login: SmtpServer['login'],
): SmtpServer => ({
  host,
  port,
  isSecure: security === 'tls',
  startTls: security === 'starttls' ? 'required' : 'off',
  verifiesCertificate: !isLocalHost(host),
  login,
})

/** Accepts `ana@studio.example` and `Studio Ana <ana@studio.example>`. Throws errors that do not contain the value. */
export function parseMailAddress(value: string): MailAddress {
  const [, name = '', inBrackets] = /^"?([^"<>\p{Cc}]*)"?\s*<([^<>]*)>$/u.exec(value) ?? []
  const address = inBrackets ?? value
  if (!/^[^\s@<>"(),;:\\]+@[^\s@<>"(),;:\\]+$/.test(address) || address.length > 254) {
    throw new Error('must be an email address such as photos@example.com or Studio <photos@example.com>')
  }
  return { name: name.trim() || null, address }
}

function parseTlsOption(query: URLSearchParams): 'off' | 'unverified' | null {
  const choice = query.get('tls')
  const isKnown = choice === null || choice === 'off' || choice === 'unverified'
  if (!isKnown || [...query.keys()].some((key) => key !== 'tls')) {
    throw new Error('must have no parameter other than ?tls=off or ?tls=unverified')
  }
  return choice
}

const isLocalHost = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('must have a percent-encoded user and password')
  }
}
