import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { withTimeout } from '../../platform/background/with-timeout.ts'
import type { Config, S3Config } from '../../platform/configuration/config.ts'
import type { SmtpServer } from '../../platform/mail/mail-config.ts'
import { t } from '../../platform/text/command-messages.ts'
import { seconds } from '../../platform/time/clock.ts'
import type { ClockSample } from './check-database.ts'
import { decryptEnteredServer, type EnteredValues } from './entered-values.ts'
import { describeError, error, type Finding, ok, warning } from './finding.ts'

/** Lists one object of a bucket, or checks the folder. Writes nothing. */
export async function checkStore({ s3, dataDir }: Config): Promise<{ finding: Finding; sample: ClockSample | null }> {
  if (s3 !== null) return checkBucket(s3)
  const folder = join(dataDir, 'media')
  if (!existsSync(folder)) return { finding: ok('checkStorage', t('mediaMissing', { folder })), sample: null }
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return { finding: ok('checkStorage', folder), sample: null }
  } catch (cause) {
    const text = t('mediaUnwritable', { folder, problem: describeError(cause) })
    return { finding: error('checkStorage', text, t('mediaUnwritableFix')), sample: null }
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
          if (!Number.isNaN(time)) sample = { of: t('clockOfStore'), time, before, after: Date.now() }
          return result
        },
        { step: 'deserialize', name: 'readDate' },
      )
      return client.send(command)
    })
    const place = s3.endpoint ?? `AWS, ${s3.region}`
    return { finding: ok('checkStorage', t('bucketReadable', { bucket: s3.bucket, place })), sample }
  } catch (cause) {
    const text = t('bucketUnusable', { bucket: s3.bucket, problem: describeError(cause) })
    return { finding: error('checkStorage', text, t('bucketUnusableFix')), sample }
  } finally {
    connection.close()
  }
}

const maxMailMs = seconds(15)

/** Connects and signs in. Sends nothing. */
export async function checkMail(config: Config, entered: EnteredValues | null): Promise<Finding> {
  const found = await findMailServer(config, entered)
  if ('severity' in found) return found
  const { source, fix } = found
  const { openTransport } = await import('../../platform/mail/smtp-mailer.ts')
  const transport = await openTransport(found.server)
  const server = t('mailServer', { host: found.server.host, port: found.server.port, source })
  try {
    await withTimeout(transport.verify(), maxMailMs)
    return ok('checkMail', t(found.server.login ? 'mailSignedIn' : 'mailAnswers', { server }))
  } catch (cause) {
    return error('checkMail', t('mailFails', { server, problem: describeError(cause) }), fix)
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
    const source = stored === null ? 'SMTP_URL' : t('smtpUrlFirst')
    return { server: config.smtp, source, fix: t('smtpUrlFix') }
  }
  if (entered === null) return ok('checkMail', t('mailUnknown'))
  if (stored === null) return ok('checkMail', t('mailUnset'))
  const source = t('enteredInApp')
  try {
    const server = await decryptEnteredServer(config, stored, entered.key)
    return { server, source, fix: t('mailEnteredFix') }
  } catch {
    const server = t('mailServer', { host: stored.host, port: stored.port, source })
    return error('checkMail', t('mailUndecryptable', { server }), t('mailUndecryptableFix'))
  }
}

const maxDriftMs = seconds(5)

/** Compares this clock with those of other machines. Signatures of S3 requests allow 15 minutes. */
export function checkClock(samples: Array<ClockSample | null>): Finding {
  const found = samples.filter((sample) => sample !== null)
  if (found.length === 0) return ok('checkClock', t('clockAlone', { time: new Date().toISOString() }))
  for (const { of, time, before, after } of found) {
    const drift = Math.round(Math.max(before - time - 1000, time - after, 0) / 1000)
    if (drift * 1000 <= maxDriftMs) continue
    return warning('checkClock', t('clockDiffers', { count: drift, machine: of }), t('clockDiffersFix'))
  }
  const [first = '', second] = found.map(({ of }) => of)
  const text = second === undefined ? t('clockAgrees', { machine: first }) : t('clockAgreesWithBoth', { first, second })
  return ok('checkClock', text)
}
