import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../../access/access.ts'
import { findUserByLogin } from '../../access/account-rows.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { adminCookie, parseBearerToken } from '../../access/cookies.ts'
import { isWrite } from '../../access/same-origin-hook.ts'
import { RecentMap } from '../../platform/background/recent-map.ts'
import type { Http } from '../../platform/http/create-http.ts'
import { toNetworkAddress } from '../../platform/network/client-address.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { minutes } from '../../platform/time/clock.ts'
import type { ActivityLog, Operation } from './activity-log.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True: this write is not recorded, for example one of many chunks. */
    skipAudit?: boolean
  }
  interface FastifyRequest {
    /** The account that signs out with this request. */
    leaving: AccountCaller | null
    /** Ids in the response to a write: the created record and the signed-in account. */
    answered: { id: number | null; userId: number | null }
  }
}

const recordedPaths = /^\/api\/(v1|admin|auth)\//

/** For one account and IP address, a process records only one locked sign-in in this time. */
const lockRecordIntervalMs = minutes(30)

/** Records successful writes, sign-in and sign-out, and attempts that a lock rejects; never submitted values. */
export function recordActivity(app: Http, ctx: PlatformContext & { access: Access }, activity: ActivityLog): void {
  const recordedLocks = new RecentMap<string, number>(1_000)
  app.decorateRequest('leaving', null)
  app.decorateRequest('answered')

  // The sign-out handler ends the session, so the account is read before it runs.
  app.addHook('preHandler', (request, _reply, done) => {
    const isSignOut = getAction(request).startsWith('signOut')
    const token = isSignOut && (parseBearerToken(request.headers.authorization) ?? request.cookies[adminCookie])
    if (!token) return done()
    const pendingCaller = ctx.access.admin(token, 'header').catch(() => null)
    pendingCaller.then((caller) => {
      request.leaving = caller
      done()
    }, done)
  })

  app.addHook('preSerialization', (request, _reply, payload, done) => {
    if (isWrite(request)) request.answered = readResponseIds(payload)
    done(null, payload)
  })

  app.addHook('onResponse', (request, reply, done) => {
    done()
    const { config, url = '' } = request.routeOptions
    if (!isWrite(request) || config.skipAudit || !recordedPaths.test(url) || getAction(request) === '') return
    if (reply.statusCode === 423) {
      recordLock(request).catch((err) =>
        ctx.log.error({ err }, 'Could not record a locked sign-in in the activity log'),
      )
    }
    const actor = reply.statusCode < 300 ? findActor(request) : null
    if (actor) activity.record({ ...describeOperation(request, reply), ...actor })
  })

  async function recordLock(request: FastifyRequest): Promise<void> {
    const userId = request.caller?.user.id ?? (await findAttemptedAccount(request.body))
    const key = `${userId} ${request.ip}`
    if (ctx.clock.now() - (recordedLocks.get(key) ?? Number.NEGATIVE_INFINITY) < lockRecordIntervalMs) return
    recordedLocks.set(key, ctx.clock.now())
    const noSubject = { event_id: null, subject: null, subjectId: null, token_id: null }
    const what = { action: getAction(request), outcome: 'locked', address: toNetworkAddress(request.ip) } as const
    activity.record({ ...what, ...noSubject, user_id: userId, via: 'sign-in' })
  }

  /** An unknown name is not recorded, because it may be a password in the wrong field. */
  async function findAttemptedAccount(body: unknown): Promise<number | null> {
    const { username } = (body ?? {}) as { username?: unknown }
    const user = typeof username === 'string' ? await findUserByLogin(ctx.db, username) : undefined
    return user?.id ?? null
  }
}

const getAction = ({ routeOptions }: FastifyRequest): string => routeOptions.schema?.operationId ?? ''

/** Returns null for a request without an account, such as a sign-out without a session. */
function findActor(request: FastifyRequest): Pick<Operation, 'user_id' | 'token_id' | 'via'> | null {
  const { caller, leaving, answered } = request
  if (caller) {
    const via = caller.tokenId !== undefined ? 'token' : caller.via === 'cookie' ? 'cookie' : 'session'
    return { user_id: caller.user.id, token_id: caller.tokenId ?? null, via }
  }
  if (leaving) return { user_id: leaving.user.id, token_id: null, via: 'session' }
  if (answered?.userId) return { user_id: answered.userId, token_id: null, via: 'sign-in' }
  return null
}

/** The subject is the last id in the path other than `event_id`, else the record that the request created. */
function describeOperation(request: FastifyRequest, reply: FastifyReply) {
  const params = Object.entries((request.params ?? {}) as Record<string, unknown>)
  const ids = params.filter(([name, id]) => name.endsWith('_id') && Number.isSafeInteger(id)) as Array<[string, number]>
  const action = getAction(request)
  const responseId = reply.statusCode === 201 ? (request.answered?.id ?? null) : null
  const createsEvent = action === 'createEvent' || action === 'duplicateEvent'
  const [createdEventId, createdId] = createsEvent ? [responseId, null] : [null, responseId]
  const [name, id] = ids.findLast(([one]) => one !== 'event_id') ?? []
  return {
    action,
    outcome: 'done' as const,
    address: toNetworkAddress(request.ip),
    event_id: ids.find(([one]) => one === 'event_id')?.[1] ?? createdEventId,
    subject: name?.replace(/_id$/, '') ?? (createdId === null ? null : getCreatedType(action)),
    subjectId: id ?? createdId,
  }
}

/** Returns `api_token` for `createApiToken`. */
const getCreatedType = (action: string): string =>
  action
    .replace(/^[a-z]+/, '')
    .replace(/(?<=.)[A-Z]/g, '_$&')
    .toLowerCase() || action

function readResponseIds(payload: unknown): FastifyRequest['answered'] {
  const { id, user } = (payload ?? {}) as { id?: unknown; user?: { id?: unknown } | null }
  const toId = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : null)
  return { id: toId(id), userId: toId(user?.id) }
}
