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

const onOff = oneOf({ on: true, off: false })
const trueFalse = oneOf({ true: true, false: false })
const key = text(32, 4096)
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const networkVariables = {
  PORT: variable('The port it listens on', integer(0, 65_535), '3000'),
  HOST: variable('The address it listens on; `127.0.0.1` for a proxy on the same machine', text(1, 255), '0.0.0.0'),
  PUBLIC_URL: optional('What every link begins with', origin, 'the address of the request'),
  TRUST_PROXY: variable(
    'How many [proxies](proxies.md) stand in front, or which: only their `X-Forwarded-…` counts',
    proxies,
    'off',
  ),
  CORS_ORIGINS: variable('Whose pages may call `/api/v1` and `/api/gallery` from a browser', origins, ''),
  RATE_LIMIT: variable(
    '`off` switches the [request limits](running.md#request-limits) off, for load tests; the sign-in lock stays',
    onOff,
    'on',
  ),
}

const storageVariables = {
  DATA_DIR: variable('The folder of [everything that lasts](running.md#what-is-kept-where)', path, './data'),
  DATABASE_URL: optional(
    'PostgreSQL in the place of that file: see [several nodes](several-nodes.md#postgresql)',
    postgresUrl,
    'a SQLite file in `DATA_DIR`',
  ),
  IMPORT_DIR: optional(
    'The watched folder: what is put into `<IMPORT_DIR>/<event slug>/` is [imported](imports.md)',
    path,
    '`import` in `DATA_DIR`',
  ),
}

const objectStorage = {
  S3_BUCKET: optional(
    'A bucket in the place of that folder, for originals and pictures: see [several nodes](several-nodes.md#the-store)',
    bucketName,
    'a folder in `DATA_DIR`',
  ),
  S3_ENDPOINT: optional('Where the store answers', origin, 'the one of AWS for the region'),
  S3_REGION: variable('The region of the bucket', text(1, 100), 'us-east-1'),
  S3_ACCESS_KEY_ID: optional(
    'The key of the store; set with `S3_SECRET_ACCESS_KEY` or not at all',
    text(1, 512),
    'what the machine gives, such as the role of an instance',
  ),
  S3_SECRET_ACCESS_KEY: optional('The secret of that key', text(1, 512), 'as above'),
  S3_PREFIX: variable('What all keys in the bucket begin with', keyPrefix, ''),
  S3_FORCE_PATH_STYLE: variable(
    '`true`: the bucket stands in the path, not in the host name; most stores but AWS want it',
    trueFalse,
    'false',
  ),
  S3_PRESIGNED_REDIRECTS: variable(
    '`on`: who may have an original in full is sent to the store for it, by an address that holds for 60 seconds',
    onOff,
    'off',
  ),
}

const secrets = {
  JWT_SECRET: optional(
    'Signs all sessions: changing it ends them',
    key,
    'generated into `DATA_DIR/secrets`; with PostgreSQL into the database',
  ),
  ENCRYPTION_KEY: optional('Encrypts the secrets of webhooks, second factors and mails', key, 'as above'),
  ENCRYPTION_KEY_OLD: optional(
    'The former `ENCRYPTION_KEY`: what it has encrypted [still opens](moving.md#another-encryption-key)',
    key,
  ),
}

const firstAccount = {
  ADMIN_USERNAME: variable('The first account; read at the very first start alone', text(1, 100), 'admin'),
  ADMIN_EMAIL: variable('Its mail address', email, 'admin@localhost'),
  ADMIN_PASSWORD: optional('Its password', text(12, 128), 'generated and printed once'),
}

const mail = {
  SMTP_URL: optional('The mail server: see [mail](mail.md)', smtpUrl, 'mail is kept in the outbox'),
  MAIL_FROM: optional('The sender of all mail', sender, 'see [mail](mail.md)'),
}

const signInVariables = {
  RECAPTCHA_SECRET_KEY: optional('Switches on a [check for people](signing-in.md#recaptcha)', text(1, 512)),
  RECAPTCHA_SITE_KEY: optional('What the sign-in page needs for it', text(1, 512)),
  RECAPTCHA_VERIFY_URL: variable('Who verifies it', webAddress, 'https://www.google.com/recaptcha/api/siteverify'),
}

const webhooks = {
  WEBHOOK_ALLOW_PRIVATE_URLS: variable(
    '`true`: receivers may have [private addresses](webhooks.md#private-addresses)',
    trueFalse,
    'false',
  ),
  WEBHOOK_DELIVERY_CONCURRENCY: variable(
    'So many deliveries are under way at once; those to receivers that hang or fail have places of their own beside these',
    integer(1, 256),
    '16',
  ),
  WEBHOOK_HTTP_TIMEOUT_MS: variable(
    'A receiver that takes longer has failed to answer',
    integer(100, 120_000),
    '10000',
  ),
  WEBHOOK_MAX_ATTEMPTS: variable('Attempts of one delivery, the first included', integer(1, 20), '8'),
  WEBHOOK_HEADER_ALIAS: optional(
    '`Acme`: webhooks also carry `X-Acme-Signature`, `X-Acme-Event` and `X-Acme-Delivery`',
    headerWord,
  ),
}

const processVariables = {
  FFMPEG_PATH: optional(
    'Takes the stills of [videos](videos.md#ffmpeg)',
    program,
    '`ffmpeg` on the `PATH`, else the one of the npm package',
  ),
  SHUTDOWN_GRACE_S: variable('Seconds that running requests get at the end', integer(0, 3600), '25'),
  LOG_LEVEL: variable(
    'How much is logged',
    oneOf(Object.fromEntries(logLevels.map((level) => [level, level]))),
    'info',
  ),
  METRICS_PORT: optional(
    'Serves `/metrics` to whoever reaches that port; on the main port it wants an admin',
    integer(1, 65_535),
  ),
}

/** All variables, in the order of the operating guide. */
export const variables = {
  ...networkVariables,
  ...storageVariables,
  ...objectStorage,
  ...secrets,
  ...firstAccount,
  ...mail,
  ...signInVariables,
  ...webhooks,
  ...processVariables,
}

export const variableGroups: Record<string, Record<string, Variable<unknown>>> = {
  'Where it listens': networkVariables,
  'What is kept where': storageVariables,
  'Object storage': objectStorage,
  Secrets: secrets,
  'The first account': firstAccount,
  Mail: mail,
  'Signing in': signInVariables,
  Webhooks: webhooks,
  'The process': processVariables,
}
