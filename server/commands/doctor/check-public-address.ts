import { linkReach } from '../../../contract/link-reach.ts'
import type { Config } from '../../platform/configuration/config.ts'
import { findRunningService } from '../../platform/process/service-lock.ts'
import { t } from '../../platform/text/command-messages.ts'
import { seconds } from '../../platform/time/clock.ts'
import { findServiceAtPort } from '../choose-data.ts'
import type { EnteredValues } from './entered-values.ts'
import { describeError, type Finding, ok, warning } from './finding.ts'

const check = 'checkPublicAddress'
const addressTexts = { internet: 'reachableAnywhere', network: 'onlyNetwork', computer: 'onlyComputer' } as const

/** Checks whether guests reach this service, and not another one, at the address at the start of links. */
export async function checkPublicAddress(
  config: Config,
  entered: EnteredValues | null,
  nodes: number | null,
): Promise<Finding> {
  const { url, source, isGuess } = findAddress(config, entered)
  const reach = linkReach(url)
  if (source === null || (isGuess && reach === 'computer')) return reportUnset(config, entered, url)
  const address = t(addressTexts[reach], { url, source })
  const own = await findOwnAddress(config)
  const [answer, ownAnswer] = await Promise.all([ask(url), own === null ? null : ask(own)])
  if (answer.kind === 'none') {
    const text = reach === 'internet' ? 'addressUnreached' : 'limitedAddressUnreached'
    return warning(check, t(text, { address, problem: answer.reason }), t('addressUnreachedFix'))
  }
  if (answer.kind === 'redirect') {
    return warning(check, t('addressRedirects', { url, source, target: answer.to }), t('addressRedirectsFix'))
  }
  if (answer.kind === 'other') {
    const text = t('addressAnswersOther', { url, source, status: answer.status })
    return warning(check, text, t(own === null ? 'startAndCheckProxyFix' : 'checkProxyFix'))
  }
  const report = (text: string) =>
    reach === 'computer' ? warning(check, text, t('setAddressGuideFix')) : ok(check, text)
  const ownProcess = ownAnswer?.kind === 'proofroom' ? ownAnswer.process : null
  if (answer.process !== null && answer.process === ownProcess) {
    return report(t(reach === 'internet' ? 'guestsReach' : 'serviceAtAddress', { address }))
  }
  if (config.databaseUrl !== null && nodes !== 0) {
    return report(t('nodeAtAddress', { address }))
  }
  if (ownProcess !== null && answer.process === null) {
    return report(t('proxyHidesInstance', { address }))
  }
  const other = ownProcess === null ? 'nothingRunsHere' : 'otherInstance'
  return warning(check, t(other, { address }), t('otherInstanceFix'))
}

/** Returns the address at the start of links. `source` is null if no address is known and localhost is used instead. */
function findAddress({ publicUrl, port }: Config, entered: EnteredValues | null) {
  if (publicUrl !== null) return { url: publicUrl, source: 'PUBLIC_URL', isGuess: false }
  if (entered?.publicUrl) return { url: entered.publicUrl, source: t('enteredInApp'), isGuess: false }
  if (entered?.origin) return { url: entered.origin, source: t('signInAddress'), isGuess: true }
  return { url: `http://localhost:${port}`, source: null, isGuess: true }
}

function reportUnset({ trustProxy }: Config, entered: EnteredValues | null, url: string): Finding {
  const text = t(entered === null ? 'addressUnknown' : 'addressUnset', { url })
  return trustProxy === false ? ok(check, text) : warning(check, text, t('setAddressFix'))
}

/** Returns the address of this service on this machine; null if it does not run here. */
async function findOwnAddress(config: Config): Promise<string | null> {
  const running = findRunningService(config.dataDir)
  // Nodes on PostgreSQL do not lock their folder.
  return running?.address ?? (config.databaseUrl === null ? null : findServiceAtPort(config))
}

type Answer =
  /** `process` differs between processes; null if a proxy has replaced it. */
  | { kind: 'proofroom'; process: string | null }
  | { kind: 'redirect'; to: string }
  | { kind: 'other'; status: number }
  | { kind: 'none'; reason: string }

const maxMs = seconds(5)
const maxBytes = 1024

/** Sends nothing secret: another service may answer. Follows no redirect. */
async function ask(origin: string): Promise<Answer> {
  try {
    const url = `${origin}/health/live`
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(maxMs) })
    const { status, headers } = response
    const location = headers.get('location')
    if (status >= 300 && status < 400 && location !== null) {
      await response.body?.cancel()
      return { kind: 'redirect', to: new URL(location, url).origin }
    }
    if (!response.ok || !isProofroom(await readShort(response))) return { kind: 'other', status }
    // The service begins the ids of its requests with eight digits that each process draws at its start.
    const [, id = null] = /^([\da-f]{8})-[\da-z]+$/.exec(headers.get('x-request-id') ?? '') ?? []
    return { kind: 'proofroom', process: id }
  } catch (cause) {
    return { kind: 'none', reason: describeError((cause as Error).cause ?? cause) }
  }
}

const isProofroom = (text: string): boolean => /^\{\s*"status"\s*:\s*"ok"\s*\}\s*$/.test(text)

/** Returns an empty text if the body is too long for an answer of Proofroom. */
async function readShort({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxBytes) return ''
  }
  return text
}
