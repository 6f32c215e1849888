import { linkReach } from '../../../contract/link-reach.ts'
import type { Config } from '../../platform/configuration/config.ts'
import { findRunningService } from '../../platform/process/service-lock.ts'
import { seconds } from '../../platform/time/clock.ts'
import { findServiceAtPort } from '../choose-data.ts'
import { appPage } from './check-connections.ts'
import type { EnteredValues } from './entered-values.ts'
import { describeError, type Finding, ok, warning } from './finding.ts'

const check = 'Public address'
const guide = 'see docs/operating/reachable.md'
const setAddress = `Set PUBLIC_URL to the address at which guests reach the service, or enter it in the admin app: ${appPage}`

const limits = { computer: 'which works only on this computer', network: 'which works only in your network' }

/** Checks whether guests reach this service, and not another one, at the address at the start of links. */
export async function checkPublicAddress(
  config: Config,
  entered: EnteredValues | null,
  nodes: number | null,
): Promise<Finding> {
  const { url, source } = findAddress(config, entered)
  const reach = linkReach(url)
  if (source === null || (source === signIn && reach === 'computer')) return reportUnset(config, entered, url)
  const limit = reach === 'internet' ? '' : `, ${limits[reach]}`
  const where = `${url} (${source})${limit}`
  const own = await findOwnAddress(config)
  const [answer, ownAnswer] = await Promise.all([ask(url), own === null ? null : ask(own)])
  if (answer.kind === 'none') {
    const fix = 'Check the name, the certificate and the proxy, and run this again while the service runs.'
    return warning(check, `${where}${limit && ','} cannot be reached from here: ${answer.reason}`, fix)
  }
  if (answer.kind === 'redirect') {
    const fix = `Set the address at which guests arrive, and let no proxy ask them to sign in: ${guide}.`
    return warning(check, `${url}/health/live (${source}) leads to ${answer.to}, and not to Proofroom`, fix)
  }
  if (answer.kind === 'other') {
    const text = `${url}/health/live (${source}) returns ${answer.status}, and not the answer of Proofroom`
    return warning(check, text, `${own === null ? 'Start the service, and check' : 'Check'} the proxy in front.`)
  }
  const report = (text: string) =>
    reach === 'computer' ? warning(check, text, `${setAddress}: ${guide}.`) : ok(check, text)
  const ownProcess = ownAnswer?.kind === 'proofroom' ? ownAnswer.process : null
  if (answer.process !== null && answer.process === ownProcess) {
    return report(reach === 'internet' ? `Guests reach this service at ${where}` : `This service answers at ${where}`)
  }
  if (config.databaseUrl !== null && nodes !== 0) {
    return report(`Proofroom answers at ${where}; it may be this node or another one`)
  }
  if (ownProcess !== null && answer.process === null) {
    return report(`Proofroom answers at ${where}; a proxy replaces X-Request-Id, so it may be another instance`)
  }
  const other = ownProcess === null ? 'but no service runs here with these data' : 'but it is another instance'
  return warning(check, `Proofroom answers at ${where}, ${other}`, `Point the address to this service: ${guide}.`)
}

const signIn = 'of the last sign-in of a super admin'

/** Returns the address at the start of links. `source` is null if no address is known and localhost is used instead. */
function findAddress({ publicUrl, port }: Config, entered: EnteredValues | null) {
  if (publicUrl !== null) return { url: publicUrl, source: 'PUBLIC_URL' }
  if (entered?.publicUrl) return { url: entered.publicUrl, source: 'entered in the admin app' }
  return entered?.origin ? { url: entered.origin, source: signIn } : { url: `http://localhost:${port}`, source: null }
}

function reportUnset({ trustProxy }: Config, entered: EnteredValues | null, url: string): Finding {
  const app = entered === null ? 'the settings of the admin app cannot be read' : 'the admin app has no public address'
  const text = `PUBLIC_URL is not set, and ${app}; links use the address of the request, or ${url}, ${limits.computer}`
  return trustProxy === false ? ok(check, text) : warning(check, text, `${setAddress}.`)
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
