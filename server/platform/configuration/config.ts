import { readFileSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { isProgram } from './value-parsers.ts'
import { type Variable, variables } from './variables.ts'

export type Config = ReturnType<typeof readConfig>

export type S3Config = NonNullable<Config['s3']>

export class ConfigProblems extends Error {
  readonly lines: string[]
  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigProblems'
    this.lines = lines
  }
}

type Environment = Record<string, string | undefined>

type Values = { [Name in keyof typeof variables]: ReturnType<(typeof variables)[Name]['read']> }

/** Reads all of `variables.ts`; an empty value counts as unset. Throws ConfigProblems with all mistakes. */
export function readConfig(environment: Environment) {
  const { values, problems } = readVariables(environment)
  if ((values.S3_ACCESS_KEY_ID === null) !== (values.S3_SECRET_ACCESS_KEY === null)) {
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together')
  }
  if ((values.PICPEAK_S3_ACCESS_KEY_ID === null) !== (values.PICPEAK_S3_SECRET_ACCESS_KEY === null)) {
    problems.push('PICPEAK_S3_ACCESS_KEY_ID and PICPEAK_S3_SECRET_ACCESS_KEY must be set together')
  }
  if (problems.length > 0) throw new ConfigProblems(problems)
  return {
    port: values.PORT,
    host: values.HOST,
    /** Origin of all links, without a trailing slash. null: links use the address of a request. */
    publicUrl: values.PUBLIC_URL,
    dataDir: values.DATA_DIR,
    jwtSecret: values.JWT_SECRET,
    encryptionKey: values.ENCRYPTION_KEY,
    /** Only decrypts values that were encrypted before the key was changed. */
    encryptionKeyOld: values.ENCRYPTION_KEY_OLD,
    adminUsername: values.ADMIN_USERNAME,
    adminEmail: values.ADMIN_EMAIL,
    adminPassword: values.ADMIN_PASSWORD,
    /** null: backups do not contain the secrets, unless they are requested. */
    backupPassphrase: values.BACKUP_PASSPHRASE,
    /** null: mail stays in the outbox. */
    smtp: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    /** false: `X-Forwarded-*` is ignored. A number: that many hops are trusted. A list: the trusted addresses. */
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS,
    rateLimit: values.RATE_LIMIT,
    /** null: sign-in uses no reCAPTCHA. */
    recaptchaSecretKey: values.RECAPTCHA_SECRET_KEY,
    recaptchaSiteKey: values.RECAPTCHA_SITE_KEY,
    recaptchaVerifyUrl: values.RECAPTCHA_VERIFY_URL,
    shutdownGraceSeconds: values.SHUTDOWN_GRACE_S,
    logLevel: values.LOG_LEVEL,
    metricsPort: values.METRICS_PORT,
    /** The path of the ffmpeg program, which may be older than needed; null when there is none. */
    ffmpegPath: values.FFMPEG_PATH ?? findProgram('ffmpeg', environment.PATH),
    webhooks: {
      allowPrivateUrls: values.WEBHOOK_ALLOW_PRIVATE_URLS,
      concurrency: values.WEBHOOK_DELIVERY_CONCURRENCY,
      httpTimeoutMs: values.WEBHOOK_HTTP_TIMEOUT_MS,
      maxAttempts: values.WEBHOOK_MAX_ATTEMPTS,
      /** `Acme` adds the headers `X-Acme-Signature`, `X-Acme-Event` and `X-Acme-Delivery`. */
      headerAlias: values.WEBHOOK_HEADER_ALIAS,
    },
    databaseUrl: values.DATABASE_URL,
    s3: readS3Config(values),
    /** The store of the bucket that `proofroom import picpeak` reads. */
    picpeakStore: readPicPeakStore(values),
    /** Files in `<importDir>/<event slug>/` are imported. */
    importDir: values.IMPORT_DIR ?? join(values.DATA_DIR, 'import'),
    /** The running service that commands work through; `url` is null without one. */
    remote: { url: values.PROOFROOM_URL, token: values.PROOFROOM_TOKEN },
  }
}

function readS3Config(values: Values) {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (bucket === null) return null
  return {
    bucket,
    /** null: the AWS endpoint of the region. */
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION,
    /** null: the default credentials of the machine, such as an instance role. */
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
    /** Empty, or ends with a slash. */
    prefix: values.S3_PREFIX,
    forcePathStyle: values.S3_FORCE_PATH_STYLE,
    /** True: downloads of originals by accounts and API tokens are redirected to the store. */
    presignedRedirects: values.S3_PRESIGNED_REDIRECTS,
  }
}

function readPicPeakStore(values: Values) {
  const { PICPEAK_S3_ACCESS_KEY_ID: accessKeyId, PICPEAK_S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  return {
    endpoint: values.PICPEAK_S3_ENDPOINT,
    region: values.PICPEAK_S3_REGION,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
    forcePathStyle: values.PICPEAK_S3_FORCE_PATH_STYLE ?? values.PICPEAK_S3_ENDPOINT !== null,
    presignedRedirects: false,
  }
}

/** Uses the default for an invalid value, so that all problems are reported together. */
function readVariables(environment: Environment): { values: Values; problems: string[] } {
  const problems: string[] = []
  const entries = Object.entries<Variable<unknown>>(variables).map(([name, declared]) => {
    try {
      return [name, declared.read(readText(environment, name, declared))]
    } catch (cause) {
      const { message } = cause as Error
      problems.push(cause instanceof FileProblem ? message : `${name} ${message}`)
      return [name, declared.read(undefined)]
    }
  })
  return { values: Object.fromEntries(entries) as Values, problems }
}

class FileProblem extends Error {}

/** Returns the trimmed value of a variable, or of the file of a secret. Throws FileProblem. */
function readText(environment: Environment, name: string, { isSecret }: Variable<unknown>): string | undefined {
  const value = environment[name]?.trim() || undefined
  const file = isSecret && environment[`${name}_FILE`]?.trim()
  if (!file) return value
  if (value !== undefined) throw new FileProblem(`${name} and ${name}_FILE must not both be set`)
  const content = readSecretFile(`${name}_FILE`, file).trim()
  if (content === '') throw new FileProblem(`${name}_FILE names an empty file: ${file}`)
  return content
}

function readSecretFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new FileProblem(
      `${name} names a file that cannot be read: ${file} (${(cause as NodeJS.ErrnoException).code})`,
    )
  }
}

const findProgram = (name: string, searchPath = ''): string | null =>
  searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram) ?? null
