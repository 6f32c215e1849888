import {
  bucketName,
  email,
  headerWord,
  integer,
  keyPrefix,
  oneOf,
  origin,
  origins,
  path,
  postgresUrl,
  program,
  proxies,
  sender,
  smtpUrl,
  text,
  type ValueParser,
  webAddress,
} from './value-parsers.ts'

export type Variable<T> = {
  /** One sentence of Markdown without a period; its links are relative to `docs/operating/`. */
  description: string
  expects: string
  /** Markdown: the behavior without the variable. */
  defaultText: string
  /** The value can also come from the file that `<name>_FILE` names. */
  isSecret?: true
  read: (value: string | undefined) => T
}

const variable = <T>(description: string, parser: ValueParser<T>, defaultValue: string): Variable<T> => ({
  description,
  expects: parser.expects,
  defaultText: defaultValue === '' ? 'none' : `\`${defaultValue}\``,
  read: (value = defaultValue) => parser.read(value),
})

/** `defaultText` describes the behavior without the variable, whose value is then null. */
const optional = <T>(description: string, parser: ValueParser<T>, defaultText = 'none'): Variable<T | null> => ({
  description,
  expects: parser.expects,
  defaultText,
  read: (value) => (value === undefined ? null : parser.read(value)),
})

const secret = <T>(declared: Variable<T>): Variable<T> => ({ ...declared, isSecret: true })

const onOff = oneOf({ on: true, off: false })
const trueFalse = oneOf({ true: true, false: false })
const key = text(32, 4096)
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const networkVariables = {
  PORT: variable('The port on which the service listens', integer(0, 65_535), '3000'),
  HOST: variable(
    'The address on which the service listens; `127.0.0.1` behind a proxy on the same machine',
    text(1, 255),
    '0.0.0.0',
  ),
  PUBLIC_URL: optional(
    'The start of every link that the service creates; has priority over the [public address](settings.md#public-address) of the admin app',
    origin,
    'the address in the admin app, or of the request',
  ),
  TRUST_PROXY: variable(
    'The trusted [proxies](proxies.md), as a number of hops or as addresses; only their `X-Forwarded-…` headers are used',
    proxies,
    'off',
  ),
  CORS_ORIGINS: variable('Websites whose pages may call `/api/v1` and `/api/gallery` from a browser', origins, ''),
  RATE_LIMIT: variable(
    '`off` disables the [request limits](running.md#request-limits) for load tests; the sign-in lock stays active',
    onOff,
    'on',
  ),
}

const storageVariables = {
  DATA_DIR: variable('The folder for [persistent data](running.md#what-is-kept-where)', path, './data'),
  DATABASE_URL: secret(
    optional(
      'A PostgreSQL database instead of SQLite: see [several nodes](several-nodes.md#postgresql)',
      postgresUrl,
      'a SQLite file in `DATA_DIR`',
    ),
  ),
  IMPORT_DIR: optional(
    'The watched folder: files in `<IMPORT_DIR>/<event slug>/` are [imported](imports.md)',
    path,
    '`import` in `DATA_DIR`',
  ),
}

const objectStorage = {
  S3_BUCKET: optional(
    'A bucket for originals and derived pictures, instead of a folder: see [several nodes](several-nodes.md#the-store)',
    bucketName,
    'a folder in `DATA_DIR`',
  ),
  S3_ENDPOINT: optional('The address of the object store', origin, 'the AWS endpoint of the region'),
  S3_REGION: variable('The region of the bucket', text(1, 100), 'us-east-1'),
  S3_ACCESS_KEY_ID: optional(
    'The access key ID; must be set together with `S3_SECRET_ACCESS_KEY`',
    text(1, 512),
    'the credentials of the machine, such as an instance role',
  ),
  S3_SECRET_ACCESS_KEY: secret(optional('The secret access key', text(1, 512), 'as above')),
  S3_PREFIX: variable('The prefix of all keys in the bucket', keyPrefix, ''),
  S3_FORCE_PATH_STYLE: variable(
    '`true` puts the bucket name into the path instead of the host name; most stores other than AWS require this',
    trueFalse,
    'false',
  ),
  S3_PRESIGNED_REDIRECTS: variable(
    '`on` redirects downloads of complete originals to the object store, with an address that is valid for 60 seconds',
    onOff,
    'off',
  ),
}

/** Only `proofroom import picpeak` reads these. */
const picpeakStorage = {
  PICPEAK_S3_ENDPOINT: optional(
    'The address of the object store with the photos of a PicPeak installation [that is moved](picpeak.md#photos-in-a-bucket)',
    origin,
    'the AWS endpoint of the region',
  ),
  PICPEAK_S3_REGION: variable('The region of that bucket', text(1, 100), 'us-east-1'),
  PICPEAK_S3_ACCESS_KEY_ID: secret(
    optional(
      'The access key ID for it; must be set together with `PICPEAK_S3_SECRET_ACCESS_KEY`',
      text(1, 512),
      'the credentials of the machine, such as an instance role',
    ),
  ),
  PICPEAK_S3_SECRET_ACCESS_KEY: secret(optional('The secret access key for it', text(1, 512), 'as above')),
  PICPEAK_S3_FORCE_PATH_STYLE: optional(
    '`true` puts the name of that bucket into the path instead of the host name',
    trueFalse,
    '`true` with `PICPEAK_S3_ENDPOINT`',
  ),
}

const secrets = {
  JWT_SECRET: secret(
    optional(
      'Signs all sessions; a new value ends them',
      key,
      'generated and stored in `DATA_DIR/secrets`, or in the PostgreSQL database',
    ),
  ),
  ENCRYPTION_KEY: secret(optional('Encrypts the secrets of webhooks, second factors and mails', key, 'as above')),
  ENCRYPTION_KEY_OLD: secret(
    optional(
      'The previous `ENCRYPTION_KEY`, which [still decrypts](moving.md#another-encryption-key) older values',
      key,
    ),
  ),
  BACKUP_PASSPHRASE: secret(
    optional(
      'Encrypts `JWT_SECRET` and `ENCRYPTION_KEY` in [backups](backup.md#secrets); a restore needs it',
      text(12, 1024),
      'backups do not contain these two',
    ),
  ),
}

const firstAccount = {
  ADMIN_USERNAME: variable(
    'The user name of the first account; these three variables are read only at the first start',
    text(1, 100),
    'admin',
  ),
  ADMIN_EMAIL: variable('The email address of the first account', email, 'admin@localhost'),
  ADMIN_PASSWORD: secret(optional('The password of the first account', text(12, 128), 'generated and printed once')),
}

const mail = {
  SMTP_URL: secret(
    optional(
      'The [mail server](mail.md); has priority over the one of the admin app',
      smtpUrl,
      'the mail server in the admin app; without one, mail stays in the outbox',
    ),
  ),
  MAIL_FROM: optional(
    'The [sender](mail.md#sender-and-test) of all mail; has priority over the one of the admin app',
    sender,
    'the sender in the admin app, or derived',
  ),
}

const signInVariables = {
  RECAPTCHA_SECRET_KEY: secret(
    optional('The secret key that enables [reCAPTCHA](signing-in.md#recaptcha)', text(1, 512)),
  ),
  RECAPTCHA_SITE_KEY: optional('The reCAPTCHA site key for the sign-in page', text(1, 512)),
  RECAPTCHA_VERIFY_URL: variable(
    'The address that verifies reCAPTCHA responses',
    webAddress,
    'https://www.google.com/recaptcha/api/siteverify',
  ),
}

const webhooks = {
  WEBHOOK_ALLOW_PRIVATE_URLS: variable(
    '`true` allows receivers with [private addresses](webhooks.md#private-addresses)',
    trueFalse,
    'false',
  ),
  WEBHOOK_DELIVERY_CONCURRENCY: variable(
    'The maximum number of concurrent deliveries; slow and failing receivers have a separate limit',
    integer(1, 256),
    '16',
  ),
  WEBHOOK_HTTP_TIMEOUT_MS: variable('The timeout of one attempt in milliseconds', integer(100, 120_000), '10000'),
  WEBHOOK_MAX_ATTEMPTS: variable(
    'The maximum number of attempts per delivery, including the first',
    integer(1, 20),
    '8',
  ),
  WEBHOOK_HEADER_ALIAS: optional(
    '`Acme` adds the headers `X-Acme-Signature`, `X-Acme-Event` and `X-Acme-Delivery` to webhooks',
    headerWord,
  ),
}

const processVariables = {
  FFMPEG_PATH: optional(
    'FFmpeg 5.1 or newer, for [videos](videos.md#decoders) that the built-in decoders cannot read',
    program,
    '`ffmpeg` on the `PATH`, if any',
  ),
  SHUTDOWN_GRACE_S: variable('Seconds that running requests may take to finish at shutdown', integer(0, 3600), '25'),
  LOG_LEVEL: variable(
    'The minimum level of log messages',
    oneOf(Object.fromEntries(logLevels.map((level) => [level, level]))),
    'info',
  ),
  METRICS_PORT: optional(
    'A port that serves `/metrics` without authentication; the main port requires an admin',
    integer(1, 65_535),
  ),
}

const commandVariables = {
  PROOFROOM_URL: optional(
    'The address of a running service that [commands](running.md#commands) work through, as with `--url`',
    origin,
    'commands work on `DATA_DIR`',
  ),
  PROOFROOM_TOKEN: secret(optional('An API token of that service, with the scope `write`', text(1, 512), '`--token`')),
}

/** All variables, in the order of the operating guide. */
export const variables = {
  ...networkVariables,
  ...storageVariables,
  ...objectStorage,
  ...picpeakStorage,
  ...secrets,
  ...firstAccount,
  ...mail,
  ...signInVariables,
  ...webhooks,
  ...processVariables,
  ...commandVariables,
}

export const variableGroups: Record<string, Record<string, Variable<unknown>>> = {
  Network: networkVariables,
  Storage: storageVariables,
  'Object storage': objectStorage,
  'Photos of PicPeak in a bucket': picpeakStorage,
  Secrets: secrets,
  'First account': firstAccount,
  Mail: mail,
  'Sign-in': signInVariables,
  Webhooks: webhooks,
  Process: processVariables,
  Commands: commandVariables,
}
