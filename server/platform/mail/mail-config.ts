/** Where mail is handed over, as SMTP_URL says. */
export type SmtpServer = {
  host: string
  port: number
  /** smtps: encrypted from the first byte. */
  isSecure: boolean
  /** For the others: whether the connection is encrypted before anything is said. */
  startTls: 'required' | 'offered' | 'off'
  verifiesCertificate: boolean
  login: { user: string; password: string } | null
}

export type MailAddress = { name: string | null; address: string }

const schemes = new Map([
  ['smtp:', { isSecure: false, port: 587 }],
  ['smtps:', { isSecure: true, port: 465 }],
])

/**
 * `smtp://` or `smtps://`, with user and password where the server wants them. `?tls=off` is for a server whose
 * encryption cannot be used, `?tls=unverified` for one whose certificate nobody vouches for. Errors never show what
 * was given.
 */
export function parseSmtpUrl(value: string): SmtpServer {
  const url = URL.canParse(value) ? new URL(value) : null
  const scheme = url && schemes.get(url.protocol)
  if (!url || !scheme || !url.hostname || url.port === '0' || !/^\/?$/.test(url.pathname) || url.hash) {
    throw new Error('must be an address such as smtp://user:password@mail.example.com:587')
  }
  const user = decoded(url.username)
  const password = decoded(url.password)
  if ((user === '') !== (password === '')) throw new Error('must have a user and a password, or neither')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const tls = tlsChoice(url.searchParams)
  const isLocal = isThisMachine(host)
  // A password is not sent in the clear to another machine; what stays on this one needs no certificate.
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

/** `ana@studio.example` or `Studio Ana <ana@studio.example>`. */
export function parseMailAddress(value: string): MailAddress {
  const [, name = '', inBrackets] = /^"?([^"<>\p{Cc}]*)"?\s*<([^<>]*)>$/u.exec(value) ?? []
  const address = inBrackets ?? value
  if (!/^[^\s@<>"(),;:\\]+@[^\s@<>"(),;:\\]+$/.test(address) || address.length > 254) {
    throw new Error('must be a mail address such as photos@example.com or Studio <photos@example.com>')
  }
  return { name: name.trim() || null, address }
}

function tlsChoice(query: URLSearchParams): 'off' | 'unverified' | null {
  const choice = query.get('tls')
  const isKnown = choice === null || choice === 'off' || choice === 'unverified'
  if (!isKnown || [...query.keys()].some((key) => key !== 'tls')) {
    throw new Error('must end in nothing, ?tls=off or ?tls=unverified')
  }
  return choice
}

const isThisMachine = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('must have its user and password percent-encoded')
  }
}
