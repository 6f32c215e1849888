import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { withTimeout } from '../../platform/background/with-timeout.ts'
import type { Config, S3Config } from '../../platform/configuration/config.ts'
import type { SmtpServer } from '../../platform/mail/mail-config.ts'
import { seconds } from '../../platform/time/clock.ts'
import type { ClockSample } from './check-database.ts'
import { decryptEnteredServer, type EnteredValues } from './entered-values.ts'
import { describeError, error, type Finding, ok, warning } from './finding.ts'

/** Lists one object of a bucket, or checks the folder. Writes nothing. */
export async function checkStore({ s3, dataDir }: Config): Promise<{ finding: Finding; sample: ClockSample | null }> {
  if (s3 !== null) return checkBucket(s3)
  const folder = join(dataDir, 'media')
  if (!existsSync(folder)) return { finding: ok('Storage', `The first start creates ${folder}`), sample: null }
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return { finding: ok('Storage', folder), sample: null }
  } catch (cause) {
    const fix = 'Give the folder, with all it contains, to the user of the service.'
    return { finding: error('Storage', `${folder} is not writable: ${describeError(cause)}`, fix), sample: null }
  }
}

async function checkBucket(s3: S3Config): Promise<{ finding: Finding; sample: ClockSample | null }> {
  const { ListObjectsV2Command } = await import('@aws-sdk/client-s3')
  const { connectToS3 } = await import('../../platform/storage/s3-client.ts')
  const connection = connectToS3(s3)
  let sample: ClockSample | null = null
  try {
    await connection.send((client) => {
      const before = Date.now()
      const command = new ListObjectsV2Command({ Bucket: s3.bucket, Prefix: s3.prefix, MaxKeys: 1 })
      command.middlewareStack.add(
        (next) => async (args) => {
          const result = await next(args)
          const { headers = {} } = result.response as { headers?: Record<string, string> }
          const time = Date.parse(headers.date ?? '')
          if (!Number.isNaN(time)) sample = { of: 'the object store', time, before, after: Date.now() }
          return result
        },
        { step: 'deserialize', name: 'readDate' },
      )
      return client.send(command)
    })
    const where = s3.endpoint ?? `AWS, ${s3.region}`
    return { finding: ok('Storage', `The bucket ${s3.bucket} at ${where} can be read`), sample }
  } catch (cause) {
    const fix = 'Check the S3_ variables and the rights of the key.'
    return { finding: error('Storage', `The bucket ${s3.bucket}: ${describeError(cause)}`, fix), sample }
  } finally {
    connection.close()
  }
}

const maxMailMs = seconds(15)
export const appPage = 'Settings, Mail and address'

/** Connects and signs in. Sends nothing. */
export async function checkMail(config: Config, entered: EnteredValues | null): Promise<Finding> {
  const found = await findMailServer(config, entered)
  if ('severity' in found) return found
  const { server, source, fix } = found
  const { openTransport } = await import('../../platform/mail/smtp-mailer.ts')
  const transport = await openTransport(server)
  const where = `${server.host}, port ${server.port} (${source})`
  try {
    await withTimeout(transport.verify(), maxMailMs)
    const login = server.login ? 'accepts the sign-in' : 'answers; no user is set'
    return ok('Mail', `The mail server ${where} ${login}`)
  } catch (cause) {
    return error('Mail', `The mail server ${where}: ${describeError(cause)}`, fix)
  } finally {
    transport.close()
  }
}

/** Returns a finding if there is no server, or if its password cannot be decrypted. */
async function findMailServer(
  config: Config,
  entered: EnteredValues | null,
): Promise<Finding | { server: SmtpServer; source: string; fix: string }> {
  const stored = entered?.server ?? null
  if (config.smtp !== null) {
    const source = stored === null ? 'SMTP_URL' : 'SMTP_URL, which has priority over the admin app'
    return { server: config.smtp, source, fix: 'Check SMTP_URL: host, port, encryption, user and password.' }
  }
  if (entered === null) return ok('Mail', 'SMTP_URL is not set, and the settings of the admin app cannot be read')
  if (stored === null) {
    return ok(
      'Mail',
      'Neither SMTP_URL nor the admin app sets a mail server; mails stay in the outbox of the admin app',
    )
  }
  const source = 'entered in the admin app'
  try {
    const server = await decryptEnteredServer(config, stored, entered.key)
    return { server, source, fix: `Check the mail server in the admin app: ${appPage}.` }
  } catch {
    const text = `The password of the mail server ${stored.host}, port ${stored.port} (${source}), cannot be decrypted`
    const fix = `Set the ENCRYPTION_KEY of the service, or enter the password again in the admin app: ${appPage}.`
    return error('Mail', text, fix)
  }
}

const maxDriftMs = seconds(5)

/** Compares this clock with those of other machines. Signatures of S3 requests allow 15 minutes. */
export function checkClock(samples: Array<ClockSample | null>): Finding {
  const found = samples.filter((sample) => sample !== null)
  if (found.length === 0) return ok('Clock', `${new Date().toISOString()}; there is no other machine to compare with`)
  for (const { of, time, before, after } of found) {
    const drift = Math.round(Math.max(before - time - 1000, time - after, 0) / 1000)
    if (drift * 1000 <= maxDriftMs) continue
    const text = `This clock differs by ${drift} seconds from that of ${of}`
    return warning('Clock', text, 'Synchronize the clock, for example with systemd-timesyncd.')
  }
  return ok('Clock', `Agrees with that of ${found.map(({ of }) => of).join(' and ')}`)
}
