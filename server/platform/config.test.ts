import { chmod, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/run/temporary-folder.ts'
import { type Config, ConfigProblems, readConfig } from './config.ts'
import { secretNames } from './misspelt-variables.ts'
import { variables } from './variables.ts'

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigProblems) return error.lines
    throw error
  }
}

const defaults: Config = {
  port: 3000,
  host: '0.0.0.0',
  publicUrl: null,
  dataDir: resolve('data'),
  jwtSecret: null,
  encryptionKey: null,
  encryptionKeyOld: null,
  adminUsername: 'admin',
  adminEmail: 'admin@localhost',
  adminPassword: null,
  backupPassphrase: null,
  smtp: null,
  mailFrom: null,
  trustProxy: false,
  corsOrigins: [],
  rateLimit: true,
  recaptchaSecretKey: null,
  recaptchaSiteKey: null,
  recaptchaVerifyUrl: 'https://www.google.com/recaptcha/api/siteverify',
  shutdownGraceSeconds: 25,
  logLevel: 'info',
  metricsPort: null,
  ffmpegPath: null,
  webhooks: { allowPrivateUrls: false, concurrency: 16, httpTimeoutMs: 10_000, maxAttempts: 8, headerAlias: null },
  databaseUrl: null,
  s3: null,
  picpeakStore: {
    endpoint: null,
    region: 'us-east-1',
    credentials: null,
    forcePathStyle: false,
    presignedRedirects: false,
  },
  importDir: resolve('data/import'),
  remote: { url: null, token: null },
}

/** An invalid value for every variable. */
const unusable: Record<string, string> = {
  PORT: '65536',
  HOST: 'h'.repeat(256),
  PUBLIC_URL: 'photos.example.com',
  DATA_DIR: 'd'.repeat(4097),
  JWT_SECRET: 'too short',
  ENCRYPTION_KEY: 'too short',
  ENCRYPTION_KEY_OLD: 'too short',
  BACKUP_PASSPHRASE: 'elevenchars',
  ADMIN_USERNAME: 'u'.repeat(101),
  ADMIN_EMAIL: 'nobody',
  ADMIN_PASSWORD: 'elevenchars',
  TRUST_PROXY: 'everybody',
  CORS_ORIGINS: 'https://a.example, b.example',
  RATE_LIMIT: 'maybe',
  RECAPTCHA_SECRET_KEY: 's'.repeat(513),
  RECAPTCHA_SITE_KEY: 's'.repeat(513),
  RECAPTCHA_VERIFY_URL: 'verify.example.com',
  SHUTDOWN_GRACE_S: '-1',
  LOG_LEVEL: 'chatty',
  METRICS_PORT: '0',
  FFMPEG_PATH: '/nowhere/ffmpeg',
  WEBHOOK_ALLOW_PRIVATE_URLS: 'maybe',
  WEBHOOK_DELIVERY_CONCURRENCY: '0',
  WEBHOOK_HTTP_TIMEOUT_MS: '99',
  WEBHOOK_MAX_ATTEMPTS: '0',
  WEBHOOK_HEADER_ALIAS: 'two words',
  DATABASE_URL: 'mysql://localhost/photos',
  IMPORT_DIR: 'd'.repeat(4097),
  S3_BUCKET: 'my photos',
  S3_ENDPOINT: 's3.example.com',
  S3_REGION: 'r'.repeat(101),
  S3_ACCESS_KEY_ID: 'k'.repeat(513),
  S3_SECRET_ACCESS_KEY: 's'.repeat(513),
  S3_PREFIX: '../studio',
  S3_FORCE_PATH_STYLE: 'maybe',
  S3_PRESIGNED_REDIRECTS: 'maybe',
  PICPEAK_S3_ENDPOINT: 's3.example.com',
  PICPEAK_S3_REGION: 'r'.repeat(101),
  PICPEAK_S3_ACCESS_KEY_ID: 'k'.repeat(513),
  PICPEAK_S3_SECRET_ACCESS_KEY: 'k'.repeat(513),
  PICPEAK_S3_FORCE_PATH_STYLE: 'maybe',
  SMTP_URL: 'mail.example.com',
  MAIL_FROM: 'nobody',
  PROOFROOM_URL: 'photos.example.com',
  PROOFROOM_TOKEN: 't'.repeat(513),
}

test('every variable has a safe default', () => {
  expect(readConfig({})).toEqual(defaults)
})

test('an empty or blank value counts as unset', () => {
  const names = Object.keys(unusable)
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(defaults)
  expect(readConfig(Object.fromEntries(names.map((name) => [name, '  '])))).toEqual(defaults)
})

test.each(Object.entries(unusable))('an invalid %s stops the start with one line', (name, value) => {
  const lines = problemsOf({ [name]: value })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(new RegExp(`^${name} must[^\n]+$`))
})

test.each(['Acme-', '-', '-Acme', '1Acme', 'a'.repeat(41)])('WEBHOOK_HEADER_ALIAS rejects %s', (word) => {
  expect(problemsOf({ WEBHOOK_HEADER_ALIAS: word })).toHaveLength(1)
})

test.each(['A', 'Acme-Photos', 'a'.repeat(40)])('WEBHOOK_HEADER_ALIAS accepts %s', (word) => {
  expect(readConfig({ WEBHOOK_HEADER_ALIAS: word }).webhooks.headerAlias).toBe(word)
})

test('every variable has an invalid value in this test', () => {
  expect(Object.keys(unusable).sort()).toEqual(Object.keys(variables).sort())
})

test('all mistakes are reported at once', () => {
  const lines = problemsOf(unusable)
  expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual(Object.keys(unusable).sort())
})

test('a problem never contains a secret', () => {
  const secrets = {
    JWT_SECRET: 'swordfish',
    ENCRYPTION_KEY: 'swordfish',
    ADMIN_PASSWORD: 'swordfish',
    SMTP_URL: 'smtp://ana:swordfish@',
    DATABASE_URL: 'mysql://ana:swordfish@db.example.com/photos',
    S3_SECRET_ACCESS_KEY: 'swordfish',
  }
  expect(problemsOf(secrets)).toHaveLength(6)
  expect(problemsOf(secrets).join()).not.toContain('swordfish')
})

test('every variable is read', () => {
  const secret = 's'.repeat(32)
  const config = readConfig({
    PORT: '8080',
    HOST: '::1',
    PUBLIC_URL: 'https://Photos.example.com/',
    DATA_DIR: '/srv/photos',
    JWT_SECRET: secret,
    ENCRYPTION_KEY: `${secret}e`,
    ENCRYPTION_KEY_OLD: `${secret}o`,
    BACKUP_PASSPHRASE: 'for our backups',
    ADMIN_USERNAME: 'ana',
    ADMIN_EMAIL: 'ana@studio.example',
    ADMIN_PASSWORD: 'twelve chars',
    SMTP_URL: 'smtp://ana:secret@mail.example.com',
    MAIL_FROM: 'Studio <photos@example.com>',
    TRUST_PROXY: '1',
    CORS_ORIGINS: 'https://a.example, https://b.example:8443',
    RATE_LIMIT: 'off',
    RECAPTCHA_SECRET_KEY: 'secret of the check',
    RECAPTCHA_SITE_KEY: 'key of the site',
    RECAPTCHA_VERIFY_URL: 'https://verify.example.com/siteverify',
    SHUTDOWN_GRACE_S: '0',
    LOG_LEVEL: 'DEBUG',
    METRICS_PORT: '9100',
    FFMPEG_PATH: process.execPath,
    WEBHOOK_ALLOW_PRIVATE_URLS: 'true',
    WEBHOOK_DELIVERY_CONCURRENCY: '4',
    WEBHOOK_HTTP_TIMEOUT_MS: '2000',
    WEBHOOK_MAX_ATTEMPTS: '3',
    WEBHOOK_HEADER_ALIAS: 'Acme',
    DATABASE_URL: 'postgres://ana:secret@db.example.com/photos',
    IMPORT_DIR: '/srv/import',
    S3_BUCKET: 'photos',
    S3_ENDPOINT: 'http://store.example.com:9000/',
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'ana',
    S3_SECRET_ACCESS_KEY: 'secret',
    S3_PREFIX: '/studio/proofroom',
    S3_FORCE_PATH_STYLE: 'true',
    S3_PRESIGNED_REDIRECTS: 'on',
    PICPEAK_S3_ENDPOINT: 'http://old.example.com:9000/',
    PICPEAK_S3_REGION: 'eu-west-1',
    PICPEAK_S3_ACCESS_KEY_ID: 'ben',
    PICPEAK_S3_SECRET_ACCESS_KEY: 'secret of ben',
    PICPEAK_S3_FORCE_PATH_STYLE: 'false',
    PROOFROOM_URL: 'https://photos.example.com',
    PROOFROOM_TOKEN: 'token',
  })
  expect(config).toEqual({
    port: 8080,
    host: '::1',
    publicUrl: 'https://photos.example.com',
    dataDir: '/srv/photos',
    jwtSecret: secret,
    encryptionKey: `${secret}e`,
    encryptionKeyOld: `${secret}o`,
    adminUsername: 'ana',
    adminEmail: 'ana@studio.example',
    adminPassword: 'twelve chars',
    backupPassphrase: 'for our backups',
    smtp: {
      host: 'mail.example.com',
      port: 587,
      isSecure: false,
      startTls: 'required',
      verifiesCertificate: true,
      login: { user: 'ana', password: 'secret' },
    },
    mailFrom: { name: 'Studio', address: 'photos@example.com' },
    trustProxy: 1,
    corsOrigins: ['https://a.example', 'https://b.example:8443'],
    rateLimit: false,
    recaptchaSecretKey: 'secret of the check',
    recaptchaSiteKey: 'key of the site',
    recaptchaVerifyUrl: 'https://verify.example.com/siteverify',
    shutdownGraceSeconds: 0,
    logLevel: 'debug',
    metricsPort: 9100,
    ffmpegPath: process.execPath,
    webhooks: { allowPrivateUrls: true, concurrency: 4, httpTimeoutMs: 2000, maxAttempts: 3, headerAlias: 'Acme' },
    databaseUrl: 'postgres://ana:secret@db.example.com/photos',
    s3: {
      bucket: 'photos',
      endpoint: 'http://store.example.com:9000',
      region: 'eu-central-1',
      credentials: { accessKeyId: 'ana', secretAccessKey: 'secret' },
      prefix: 'studio/proofroom/',
      forcePathStyle: true,
      presignedRedirects: true,
    },
    picpeakStore: {
      endpoint: 'http://old.example.com:9000',
      region: 'eu-west-1',
      credentials: { accessKeyId: 'ben', secretAccessKey: 'secret of ben' },
      forcePathStyle: false,
      presignedRedirects: false,
    },
    importDir: '/srv/import',
    remote: { url: 'https://photos.example.com', token: 'token' },
  })
})

describe('object storage', () => {
  test('S3_BUCKET alone selects it', () => {
    expect(readConfig({ S3_BUCKET: 'photos' }).s3).toEqual({
      bucket: 'photos',
      endpoint: null,
      region: 'us-east-1',
      credentials: null,
      prefix: '',
      forcePathStyle: false,
      presignedRedirects: false,
    })
  })

  test('without S3_BUCKET the other variables have no effect', () => {
    expect(readConfig({ S3_ENDPOINT: 'http://store.example.com', S3_PREFIX: 'studio' }).s3).toBeNull()
  })

  test.each(['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])('%s alone stops the start', (name) => {
    const line = 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together'
    expect(problemsOf({ S3_BUCKET: 'photos', [name]: 'ana' })).toEqual([line])
  })

  test.each(['..', 'studio/../other', 'a b', '-a', '.hidden'])('a prefix %s is rejected', (value) => {
    expect(problemsOf({ S3_PREFIX: value })).toHaveLength(1)
  })
})

test.each(['postgres://db.example.com', 'postgres:///', 'https://db.example.com/photos', 'photos'])(
  'DATABASE_URL rejects %s',
  (value) => {
    expect(problemsOf({ DATABASE_URL: value })).toHaveLength(1)
  },
)

test.each(['postgresql://ana@db.example.com:5433/photos', 'postgres:///photos?host=/var/run/postgresql'])(
  'DATABASE_URL accepts %s',
  (value) => {
    expect(readConfig({ DATABASE_URL: value }).databaseUrl).toBe(value)
  },
)

test('IMPORT_DIR is in DATA_DIR by default', () => {
  expect(readConfig({ DATA_DIR: '/srv/photos' }).importDir).toBe('/srv/photos/import')
})

describe('an address of the service', () => {
  test.each([
    'ftp://photos.example.com',
    'https://ana@photos.example.com',
    'https://:secret@photos.example.com',
    'https://photos.example.com/gallery',
    'https://photos.example.com/?a=1',
    'https://photos.example.com/#a',
  ])('%s is rejected', (value) => {
    expect(problemsOf({ PUBLIC_URL: value })).toHaveLength(1)
  })
})

describe('trusted proxies', () => {
  test.each([
    ['2', 2],
    ['loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
    ['fd00::/8,192.0.2.7', ['fd00::/8', '192.0.2.7']],
  ])('%s is accepted', (value, trustProxy) => {
    expect(readConfig({ TRUST_PROXY: value }).trustProxy).toEqual(trustProxy)
  })

  test.each(['abc', '1.2.3.4/99', '1.2.3.999', 'fd00::/129', '0.0.0.0/0', '10.0.0.0/', ',', '-1'])(
    '%s is rejected before the server starts',
    (value) => {
      expect(problemsOf({ TRUST_PROXY: value })).toHaveLength(1)
    },
  )
})

test('TRUST_PROXY=off equals the default', () => {
  expect(readConfig({ TRUST_PROXY: 'off' }).trustProxy).toBe(false)
})

test('without FFMPEG_PATH the ffmpeg on PATH is used, if any', async () => {
  const folder = await temporaryFolder()
  const program = join(folder, 'ffmpeg')
  const PATH = [await temporaryFolder(), 'relative', folder].join(delimiter)
  expect(readConfig({ PATH }).ffmpegPath).toBeNull()
  await writeFile(program, '', { mode: 0o600 })
  expect(readConfig({ PATH }).ffmpegPath).toBeNull()
  await chmod(program, 0o700)
  expect(readConfig({ PATH }).ffmpegPath).toBe(program)
})

/** Variables that must be set beside a secret. */
const pairs: Record<string, Record<string, string>> = {
  S3_SECRET_ACCESS_KEY: { S3_ACCESS_KEY_ID: 'ana', S3_BUCKET: 'photos' },
  PICPEAK_S3_ACCESS_KEY_ID: { PICPEAK_S3_SECRET_ACCESS_KEY: 'secret' },
  PICPEAK_S3_SECRET_ACCESS_KEY: { PICPEAK_S3_ACCESS_KEY_ID: 'ana' },
}

describe('the file of a secret', () => {
  test.each(secretNames)('%s_FILE names it', async (name) => {
    const file = join(await temporaryFolder(), 'secret')
    const value = name === 'DATABASE_URL' ? 'postgres://db.example.com/photos' : 'smtp://mail.example.com:2525'
    await writeFile(file, `${name.endsWith('_URL') ? value : 's'.repeat(32)}\n`)
    const pair = pairs[name] ?? {}
    const fromFile = readConfig({ ...pair, [`${name}_FILE`]: file })
    expect(fromFile).toEqual(readConfig({ ...pair, [name]: (await readFile(file, 'utf8')).trim() }))
    expect(fromFile).not.toEqual(readConfig({}))
  })

  test('is an error beside the variable, if it is missing, and if it is empty', async () => {
    const file = join(await temporaryFolder(), 'secret')
    await writeFile(file, ' \n')
    expect(problemsOf({ JWT_SECRET: 's'.repeat(32), JWT_SECRET_FILE: file })).toEqual([
      'JWT_SECRET and JWT_SECRET_FILE must not both be set',
    ])
    expect(problemsOf({ SMTP_URL_FILE: '/nowhere/smtp' })).toEqual([
      'SMTP_URL_FILE names a file that cannot be read: /nowhere/smtp (ENOENT)',
    ])
    expect(problemsOf({ ENCRYPTION_KEY_FILE: file })).toEqual([`ENCRYPTION_KEY_FILE names an empty file: ${file}`])
  })

  test('has the rules of the variable, and its content is not printed', async () => {
    const file = join(await temporaryFolder(), 'secret')
    await writeFile(file, 'swordfish')
    expect(problemsOf({ JWT_SECRET_FILE: file })).toEqual(['JWT_SECRET must have at least 32 characters'])
  })
})
