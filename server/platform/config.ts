import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { type MailAddress, parseMailAddress, parseSmtpUrl, type SmtpServer } from './mail/mail-config.ts'

/** What the environment decides. Read once, at the start, by `readConfig` alone. */
export type Config = {
  port: number
  host: string
  /** Origin of every absolute link, without a trailing slash; null: see `links.ts`. */
  publicUrl: string | null
  dataDir: string
  jwtSecret: string | null
  encryptionKey: string | null
  /** What was encrypted with it still opens. */
  encryptionKeyOld: string | null
  adminUsername: string
  adminEmail: string
  adminPassword: string | null
  /** null: mail is kept in the outbox. */
  smtp: SmtpServer | null
  /** null: see `smtp-mailer.ts`. */
  mailFrom: MailAddress | null
  /** false: nobody's `X-Forwarded-*` counts; a number: that many hops; else CIDRs. */
  trustProxy: false | number | string[]
  corsOrigins: string[]
  rateLimit: boolean
  /** null: sign-in asks for no reCAPTCHA. */
  recaptchaSecretKey: string | null
  /** What the page of the sign-in needs. */
  recaptchaSiteKey: string | null
  recaptchaVerifyUrl: string
  shutdownGraceSeconds: number
  logLevel: string
  metricsPort: number | null
  /** The program that takes stills of videos; null: the one of the npm package. */
  ffmpegPath: string | null
  webhooks: WebhookConfig
}

export type WebhookConfig = {
  /** Receivers may have private addresses. */
  allowPrivateUrls: boolean
  /** So many deliveries are under way at once. */
  concurrency: number
  httpTimeoutMs: number
  maxAttempts: number
  /** `Acme`: also send `X-Acme-Signature`, `-Event` and `-Delivery`. */
  headerAlias: string | null
}

/** Every mistake in the environment, one line each, reported together (decisions §1). */
export class ConfigProblems extends Error {
  readonly lines: string[]
  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigProblems'
    this.lines = lines
  }
}

type Environment = Record<string, string | undefined>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads all variables of decisions §1. An empty value counts as unset. Throws ConfigProblems. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []

  function read<T>(name: string, fallback: T, parse: (value: string) => T): T {
    const value = environment[name]?.trim()
    if (value === undefined || value === '') return fallback
    try {
      return parse(value)
    } catch (cause) {
      problems.push(`${name} ${(cause as Error).message}`)
      return fallback
    }
  }

  const config: Config = {
    port: read('PORT', 3000, integer(0, 65_535)),
    host: read('HOST', '0.0.0.0', text(1, 255)),
    publicUrl: read<string | null>('PUBLIC_URL', null, origin),
    dataDir: resolve(read('DATA_DIR', './data', text(1, 4096))),
    jwtSecret: read<string | null>('JWT_SECRET', null, text(32, 4096)),
    encryptionKey: read<string | null>('ENCRYPTION_KEY', null, text(32, 4096)),
    encryptionKeyOld: read<string | null>('ENCRYPTION_KEY_OLD', null, text(32, 4096)),
    adminUsername: read('ADMIN_USERNAME', 'admin', text(1, 100)),
    adminEmail: read('ADMIN_EMAIL', 'admin@localhost', email),
    adminPassword: read<string | null>('ADMIN_PASSWORD', null, text(12, 128)),
    smtp: read<SmtpServer | null>('SMTP_URL', null, parseSmtpUrl),
    mailFrom: read<MailAddress | null>('MAIL_FROM', null, parseMailAddress),
    trustProxy: read<Config['trustProxy']>('TRUST_PROXY', false, proxies),
    corsOrigins: read<string[]>('CORS_ORIGINS', [], (value) => list(value).map(origin)),
    rateLimit: read('RATE_LIMIT', true, oneOf({ on: true, off: false })),
    recaptchaSecretKey: read<string | null>('RECAPTCHA_SECRET_KEY', null, text(1, 512)),
    recaptchaSiteKey: read<string | null>('RECAPTCHA_SITE_KEY', null, text(1, 512)),
    recaptchaVerifyUrl: read('RECAPTCHA_VERIFY_URL', 'https://www.google.com/recaptcha/api/siteverify', webAddress),
    shutdownGraceSeconds: read('SHUTDOWN_GRACE_S', 25, integer(0, 3600)),
    logLevel: read('LOG_LEVEL', 'info', oneOf(Object.fromEntries(logLevels.map((level) => [level, level])))),
    metricsPort: read<number | null>('METRICS_PORT', null, integer(1, 65_535)),
    ffmpegPath: read<string | null>('FFMPEG_PATH', findProgram('ffmpeg', environment.PATH), program),
    webhooks: {
      allowPrivateUrls: read('WEBHOOK_ALLOW_PRIVATE_URLS', false, oneOf({ true: true, false: false })),
      concurrency: read('WEBHOOK_DELIVERY_CONCURRENCY', 16, integer(1, 256)),
      httpTimeoutMs: read('WEBHOOK_HTTP_TIMEOUT_MS', 10_000, integer(100, 120_000)),
      maxAttempts: read('WEBHOOK_MAX_ATTEMPTS', 8, integer(1, 20)),
      headerAlias: read<string | null>('WEBHOOK_HEADER_ALIAS', null, headerWord),
    },
  }
  problems.push(...unservedChoices(environment))
  if (problems.length > 0) throw new ConfigProblems(problems)
  return config
}

/** A chosen back end that this version does not have stops the start: data must not land elsewhere unnoticed. */
function unservedChoices(environment: Environment): string[] {
  const unserved = { DATABASE_URL: 'PostgreSQL', S3_BUCKET: 'object storage' }
  return Object.entries(unserved)
    .filter(([name]) => environment[name]?.trim())
    .map(([name, feature]) => `${name} is set, but ${feature} is not part of this version; unset it to start`)
}

function text(minimum: number, maximum: number) {
  return (value: string): string => {
    if (value.length < minimum) throw new Error(`must have at least ${minimum} characters`)
    if (value.length > maximum) throw new Error(`must have at most ${maximum} characters`)
    return value
  }
}

function program(value: string): string {
  const path = resolve(value)
  if (!isProgram(path)) throw new Error('must be the path of a program that can be run')
  return path
}

const findProgram = (name: string, searchPath = ''): string | null =>
  searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram) ?? null

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function integer(minimum: number, maximum: number) {
  return (value: string): number => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`)
    }
    return number
  }
}

function headerWord(value: string): string {
  if (!/^[A-Za-z]([A-Za-z0-9-]{0,38}[A-Za-z0-9])?$/.test(value)) throw new Error('must be a word such as Acme')
  return value
}

function oneOf<T>(values: Record<string, T>) {
  return (value: string): T => {
    const found = Object.hasOwn(values, value.toLowerCase()) ? values[value.toLowerCase()] : undefined
    if (found === undefined) throw new Error(`must be one of ${Object.keys(values).join(', ')}`)
    return found
  }
}

function origin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  const isOrigin = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  if (!isOrigin) throw new Error('must be an address such as https://photos.example.com')
  if (url.pathname !== '/') throw new Error('must not have a path')
  return url.origin
}

function webAddress(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  const isAddress = url && /^https?:$/.test(url.protocol) && !url.username && !url.password
  if (!isAddress) throw new Error('must be an address such as https://verify.example.com/siteverify')
  return url.href
}

function email(value: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(value) || value.length > 254) throw new Error('must be a mail address')
  return value
}

function proxies(value: string): false | number | string[] {
  if (value.toLowerCase() === 'off') return false
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const ranges = list(value)
  if (ranges.length === 0 || !ranges.every(isProxyRange)) {
    throw new Error('must be off, a number of hops or a comma-separated list of addresses or CIDRs')
  }
  return ranges
}

/** What the web server understands: it has names for some ranges and takes none of all addresses. */
const isProxyRange = (range: string): boolean =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(range) ||
  ipaddr.IPv4.isValidFourPartDecimal(range) ||
  ipaddr.IPv6.isValid(range) ||
  (ipaddr.isValidCIDR(range) && !range.endsWith('/0'))

const list = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
