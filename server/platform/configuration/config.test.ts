import { chmod, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { must } from '../../../contract/must.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
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

const emptyStore = {
  endpoint: null,
  region: 'us-east-1',
  credentials: null,
  forcePathStyle: false,
  presignedRedirects: false,
}

const defaults: Config = {
  ...{ port: 3000, host: '0.0.0.0', publicUrl: null, dataDir: resolve('data'), jwtSecret: null, encryptionKey: null },
  ...{ encryptionKeyOld: null, adminUsername: 'admin', adminEmail: 'admin@localhost', adminPassword: null },
  ...{ backupPassphrase: null, smtp: null, mailFrom: null, trustProxy: false, corsOrigins: [], rateLimit: true },
  ...{ recaptchaSecretKey: null, recaptchaSiteKey: null },
  ...{ recaptchaVerifyUrl: 'https://www.google.com/recaptcha/api/siteverify', shutdownGraceSeconds: 25 },
  ...{ logLevel: 'info', metricsPort: null, ffmpegPath: null },
  webhooks: { allowPrivateUrls: false, concurrency: 16, httpTimeoutMs: 10_000, maxAttempts: 8, headerAlias: null },
  ...{ databaseUrl: null, s3: null, picpeakStore: emptyStore },
  ...{ importDir: resolve('data/import'), remote: { url: null, token: null } },
}

const secret = 's'.repeat(32)

/** A value of every variable that cannot be used, and one that can. */
const examples: Record<string, [unusable: string, usable: string]> = {
  PORT: ['65536', '8080'],
  HOST: ['h'.repeat(256), '::1'],
  PUBLIC_URL: ['photos.example.com', 'https://Photos.example.com/'],
  DATA_DIR: ['d'.repeat(4097), '/srv/photos'],
  JWT_SECRET: ['too short', secret],
  ENCRYPTION_KEY: ['too short', `${secret}e`],
  ENCRYPTION_KEY_OLD: ['too short', `${secret}o`],
  BACKUP_PASSPHRASE: ['elevenchars', 'for our backups'],
  ADMIN_USERNAME: ['u'.repeat(101), 'ana'],
  ADMIN_EMAIL: ['nobody', 'ana@studio.example'],
  ADMIN_PASSWORD: ['elevenchars', 'twelve chars'],
  TRUST_PROXY: ['everybody', '1'],
  CORS_ORIGINS: ['https://a.example, b.example', 'https://a.example, https://b.example:8443'],
  RATE_LIMIT: ['maybe', 'off'],
  RECAPTCHA_SECRET_KEY: ['s'.repeat(513), 'secret of the check'],
  RECAPTCHA_SITE_KEY: ['s'.repeat(513), 'key of the site'],
  RECAPTCHA_VERIFY_URL: ['verify.example.com', 'https://verify.example.com/siteverify'],
  SHUTDOWN_GRACE_S: ['-1', '0'],
  LOG_LEVEL: ['chatty', 'DEBUG'],
  METRICS_PORT: ['0', '9100'],
  FFMPEG_PATH: ['/nowhere/ffmpeg', process.execPath],
  WEBHOOK_ALLOW_PRIVATE_URLS: ['maybe', 'true'],
  WEBHOOK_DELIVERY_CONCURRENCY: ['0', '4'],
  WEBHOOK_HTTP_TIMEOUT_MS: ['99', '2000'],
  WEBHOOK_MAX_ATTEMPTS: ['0', '3'],
  WEBHOOK_HEADER_ALIAS: ['two words', 'Acme'],
  DATABASE_URL: ['mysql://localhost/photos', 'postgres://ana:secret@db.example.com/photos'],
  IMPORT_DIR: ['d'.repeat(4097), '/srv/import'],
  S3_BUCKET: ['my photos', 'photos'],
  S3_ENDPOINT: ['s3.example.com', 'http://store.example.com:9000/'],
  S3_REGION: ['r'.repeat(101), 'eu-central-1'],
  S3_ACCESS_KEY_ID: ['k'.repeat(513), 'ana'],
  S3_SECRET_ACCESS_KEY: ['s'.repeat(513), 'secret'],
  S3_PREFIX: ['../studio', '/studio/proofroom'],
  S3_FORCE_PATH_STYLE: ['maybe', 'true'],
  S3_PRESIGNED_REDIRECTS: ['maybe', 'on'],
  PICPEAK_S3_ENDPOINT: ['s3.example.com', 'http://old.example.com:9000/'],
  PICPEAK_S3_REGION: ['r'.repeat(101), 'eu-west-1'],
  PICPEAK_S3_ACCESS_KEY_ID: ['k'.repeat(513), 'ben'],
  PICPEAK_S3_SECRET_ACCESS_KEY: ['k'.repeat(513), 'secret of ben'],
  PICPEAK_S3_FORCE_PATH_STYLE: ['maybe', 'false'],
  SMTP_URL: ['mail.example.com', 'smtp://ana:secret@mail.example.com'],
  MAIL_FROM: ['nobody', 'Studio <photos@example.com>'],
  PROOFROOM_URL: ['photos.example.com', 'https://photos.example.com'],
  PROOFROOM_TOKEN: ['t'.repeat(513), 'token'],
}
const names = Object.keys(examples)
const environmentOf = (pick: (name: string) => string) => Object.fromEntries(names.map((name) => [name, pick(name)]))
const unusable = environmentOf((name) => must(examples[name], name)[0])

test('every variable has a safe default', () => {
  expect(readConfig({})).toEqual(defaults)
})

test('an empty or blank value counts as unset', () => {
  for (const blank of ['', '  ']) expect(readConfig(environmentOf(() => blank))).toEqual(defaults)
})

test('all unusable values stop the start at once, with one line each', () => {
  expect(names.toSorted()).toEqual(Object.keys(variables).sort())
  const lines = problemsOf(unusable)
  expect(lines.map((line) => /^(\w+) must[^\n]+$/.exec(line)?.[1]).sort()).toEqual(names.toSorted())
})

test.each([
  ['WEBHOOK_HEADER_ALIAS', ['Acme-', '-', '-Acme', '1Acme', 'a'.repeat(41)]],
  ['S3_PREFIX', ['..', 'studio/../other', 'a b', '-a', '.hidden']],
  ['DATABASE_URL', ['postgres://db.example.com', 'postgres:///', 'https://db.example.com/photos', 'photos']],
  ['TRUST_PROXY', ['abc', '1.2.3.4/99', '1.2.3.999', 'fd00::/129', '0.0.0.0/0', '10.0.0.0/', ',', '-1']],
  ['PUBLIC_URL', ['ftp://a.example', 'https://ana@a.example', 'https://:secret@a.example']],
  ['PUBLIC_URL', ['https://a.example/gallery', 'https://a.example/?a=1', 'https://a.example/#a']],
])('%s rejects %j', (name, values) => {
  for (const value of values) expect(problemsOf({ [name]: value }), value).toHaveLength(1)
})

test('other forms of values are accepted', () => {
  for (const word of ['A', 'Acme-Photos', 'a'.repeat(40)])
    expect(readConfig({ WEBHOOK_HEADER_ALIAS: word }).webhooks.headerAlias).toBe(word)
  for (const url of ['postgresql://ana@db.example.com:5433/photos', 'postgres:///photos?host=/var/run/postgresql'])
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
  expect(readConfig({ DATA_DIR: '/srv/photos' }).importDir).toBe('/srv/photos/import')
  const trusted = ['2', 'loopback, 10.0.0.0/8', 'fd00::/8,192.0.2.7', 'off'].map(
    (value) => readConfig({ TRUST_PROXY: value }).trustProxy,
  )
  expect(trusted).toEqual([2, ['loopback', '10.0.0.0/8'], ['fd00::/8', '192.0.2.7'], false])
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
  const config = readConfig(environmentOf((name) => must(examples[name], name)[1]))
  expect(config).toEqual({
    ...{ port: 8080, host: '::1', publicUrl: 'https://photos.example.com', dataDir: '/srv/photos', jwtSecret: secret },
    ...{ encryptionKey: `${secret}e`, encryptionKeyOld: `${secret}o`, adminUsername: 'ana' },
    ...{ adminEmail: 'ana@studio.example', adminPassword: 'twelve chars', backupPassphrase: 'for our backups' },
    smtp: {
      ...{ host: 'mail.example.com', port: 587, isSecure: false, startTls: 'required', verifiesCertificate: true },
      login: { user: 'ana', password: 'secret' },
    },
    ...{ mailFrom: { name: 'Studio', address: 'photos@example.com' }, trustProxy: 1 },
    ...{ corsOrigins: ['https://a.example', 'https://b.example:8443'], rateLimit: false },
    ...{ recaptchaSecretKey: 'secret of the check', recaptchaSiteKey: 'key of the site' },
    ...{ recaptchaVerifyUrl: 'https://verify.example.com/siteverify', shutdownGraceSeconds: 0, logLevel: 'debug' },
    ...{ metricsPort: 9100, ffmpegPath: process.execPath },
    webhooks: { allowPrivateUrls: true, concurrency: 4, httpTimeoutMs: 2000, maxAttempts: 3, headerAlias: 'Acme' },
    databaseUrl: 'postgres://ana:secret@db.example.com/photos',
    s3: {
      ...{ bucket: 'photos', endpoint: 'http://store.example.com:9000', region: 'eu-central-1' },
      ...{ credentials: { accessKeyId: 'ana', secretAccessKey: 'secret' }, prefix: 'studio/proofroom/' },
      ...{ forcePathStyle: true, presignedRedirects: true },
    },
    picpeakStore: {
      ...{ endpoint: 'http://old.example.com:9000', region: 'eu-west-1' },
      ...{ credentials: { accessKeyId: 'ben', secretAccessKey: 'secret of ben' }, forcePathStyle: false },
      presignedRedirects: false,
    },
    ...{ importDir: '/srv/import', remote: { url: 'https://photos.example.com', token: 'token' } },
  })
})

test('object storage is selected by S3_BUCKET alone', () => {
  const { bucket, ...others } = { ...readConfig({ S3_BUCKET: 'photos' }).s3 }
  expect(bucket).toBe('photos')
  expect(others).toEqual({ ...emptyStore, prefix: '' })
  expect(readConfig({ S3_ENDPOINT: 'http://store.example.com', S3_PREFIX: 'studio' }).s3).toBeNull()
})

test.each(['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])('object storage %s alone stops the start', (name) => {
  const line = 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together'
  expect(problemsOf({ S3_BUCKET: 'photos', [name]: 'ana' })).toEqual([line])
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

test.each(secretNames)('the file of a secret %s_FILE names it', async (name) => {
  const file = join(await temporaryFolder(), 'secret')
  const value = name === 'DATABASE_URL' ? 'postgres://db.example.com/photos' : 'smtp://mail.example.com:2525'
  await writeFile(file, `${name.endsWith('_URL') ? value : 's'.repeat(32)}\n`)
  const pair = pairs[name] ?? {}
  const fromFile = readConfig({ ...pair, [`${name}_FILE`]: file })
  expect(fromFile).toEqual(readConfig({ ...pair, [name]: (await readFile(file, 'utf8')).trim() }))
  expect(fromFile).not.toEqual(readConfig({}))
})

test('the file of a secret is an error beside the variable, if it is missing, empty or invalid; its content is not printed', async () => {
  const file = join(await temporaryFolder(), 'secret')
  await writeFile(file, ' \n')
  expect(problemsOf({ JWT_SECRET: 's'.repeat(32), JWT_SECRET_FILE: file })).toEqual([
    'JWT_SECRET and JWT_SECRET_FILE must not both be set',
  ])
  expect(problemsOf({ SMTP_URL_FILE: '/nowhere/smtp' })).toEqual([
    'SMTP_URL_FILE names a file that cannot be read: /nowhere/smtp (ENOENT)',
  ])
  expect(problemsOf({ ENCRYPTION_KEY_FILE: file })).toEqual([`ENCRYPTION_KEY_FILE names an empty file: ${file}`])
  await writeFile(file, 'swordfish')
  expect(problemsOf({ JWT_SECRET_FILE: file })).toEqual(['JWT_SECRET must have at least 32 characters'])
})
