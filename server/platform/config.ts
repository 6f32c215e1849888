import { delimiter, isAbsolute, join } from 'node:path'
import type { MailAddress, SmtpServer } from './mail/mail-config.ts'
import { isProgram } from './value-parsers.ts'
import { variables } from './variables.ts'

/** The settings from environment variables, see `variables.ts`. */
export type Config = {
  port: number
  host: string
  /** Origin of all links, without a trailing slash. Null: links use the origin of the request. */
  publicUrl: string | null
  dataDir: string
  jwtSecret: string | null
  encryptionKey: string | null
  /** Only decrypts older values. */
  encryptionKeyOld: string | null
  adminUsername: string
  adminEmail: string
  adminPassword: string | null
  /** null: mail stays in the outbox. */
  smtp: SmtpServer | null
  mailFrom: MailAddress | null
  /** false: `X-Forwarded-*` is ignored; a number: that many hops are trusted; otherwise trusted CIDRs. */
  trustProxy: false | number | string[]
  corsOrigins: string[]
  rateLimit: boolean
  /** null: sign-in uses no reCAPTCHA. */
  recaptchaSecretKey: string | null
  recaptchaSiteKey: string | null
  recaptchaVerifyUrl: string
  shutdownGraceSeconds: number
  logLevel: string
  metricsPort: number | null
  /** The ffmpeg program; null: the one of the npm package. */
  ffmpegPath: string | null
  webhooks: WebhookConfig
  databaseUrl: string | null
  s3: S3Config | null
  /** Files in `<importDir>/<event slug>/` are imported. */
  importDir: string
}

export type S3Config = {
  bucket: string
  /** null: the AWS endpoint of the region. */
  endpoint: string | null
  region: string
  /** null: the default credentials of the machine, such as an instance role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
  /** Empty, or ends with a slash. */
  prefix: string
  forcePathStyle: boolean
  /** Requests for complete originals are redirected to the store. */
  presignedRedirects: boolean
}

export type WebhookConfig = {
  allowPrivateUrls: boolean
  concurrency: number
  httpTimeoutMs: number
  maxAttempts: number
  /** `Acme` adds the headers `X-Acme-Signature`, `X-Acme-Event` and `X-Acme-Delivery`. */
  headerAlias: string | null
}

export class ConfigProblems extends Error {
  readonly lines: string[]
  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigProblems'
    this.lines = lines
  }
}

type Environment = Record<string, string | undefined>

type Variables = typeof variables

type Values = { [Name in keyof Variables]: ReturnType<Variables[Name]['read']> }

/** Reads all of `variables.ts`; an empty value counts as unset. Throws ConfigProblems with all mistakes. */
export function readConfig(environment: Environment): Config {
  const { values, problems } = readVariables(environment)
  if ((values.S3_ACCESS_KEY_ID === null) !== (values.S3_SECRET_ACCESS_KEY === null)) {
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must both be set, or neither')
  }
  if (problems.length > 0) throw new ConfigProblems(problems)
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    dataDir: values.DATA_DIR,
    jwtSecret: values.JWT_SECRET,
    encryptionKey: values.ENCRYPTION_KEY,
    encryptionKeyOld: values.ENCRYPTION_KEY_OLD,
    adminUsername: values.ADMIN_USERNAME,
    adminEmail: values.ADMIN_EMAIL,
    adminPassword: values.ADMIN_PASSWORD,
    smtp: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS,
    rateLimit: values.RATE_LIMIT,
    recaptchaSecretKey: values.RECAPTCHA_SECRET_KEY,
    recaptchaSiteKey: values.RECAPTCHA_SITE_KEY,
    recaptchaVerifyUrl: values.RECAPTCHA_VERIFY_URL,
    shutdownGraceSeconds: values.SHUTDOWN_GRACE_S,
    logLevel: values.LOG_LEVEL,
    metricsPort: values.METRICS_PORT,
    ffmpegPath: values.FFMPEG_PATH ?? findProgram('ffmpeg', environment.PATH),
    webhooks: {
      allowPrivateUrls: values.WEBHOOK_ALLOW_PRIVATE_URLS,
      concurrency: values.WEBHOOK_DELIVERY_CONCURRENCY,
      httpTimeoutMs: values.WEBHOOK_HTTP_TIMEOUT_MS,
      maxAttempts: values.WEBHOOK_MAX_ATTEMPTS,
      headerAlias: values.WEBHOOK_HEADER_ALIAS,
    },
    databaseUrl: values.DATABASE_URL,
    s3: readS3Config(values),
    importDir: values.IMPORT_DIR ?? join(values.DATA_DIR, 'import'),
  }
}

function readS3Config(values: Values): S3Config | null {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (bucket === null) return null
  return {
    bucket,
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
    prefix: values.S3_PREFIX,
    forcePathStyle: values.S3_FORCE_PATH_STYLE,
    presignedRedirects: values.S3_PRESIGNED_REDIRECTS,
  }
}

/** Uses the default for an invalid value, so that all problems are reported together. */
function readVariables(environment: Environment): { values: Values; problems: string[] } {
  const problems: string[] = []
  const entries = Object.entries(variables).map(([name, { read }]) => {
    try {
      return [name, read(environment[name]?.trim() || undefined)]
    } catch (cause) {
      problems.push(`${name} ${(cause as Error).message}`)
      return [name, read(undefined)]
    }
  })
  return { values: Object.fromEntries(entries) as Values, problems }
}

const findProgram = (name: string, searchPath = ''): string | null =>
  searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram) ?? null
