import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import { findUserByLogin } from '../access/account-rows.ts'
import type { AccountCaller } from '../access/callers.ts'
import { adminCookie, bearerOf } from '../access/cookies.ts'
import { isWrite } from '../access/same-origin.ts'
import { RecentMap } from '../platform/background/recent-map.ts'
import { minutes } from '../platform/clock.ts'
import { networkOf } from '../platform/http/address.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { ActivityLog, Operation } from './activity-log.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Do not record this write, such as one chunk of many. */
    skipAudit?: boolean
  }
  interface FastifyRequest {
    /** The caller whose session this request ended. */
    leaving: AccountCaller | null
    /** Ids in the response to a write: the created record and the signed-in account. */
    answered: { id: number | null; userId: number | null }
  }
}

const ofAccounts = /^\/api\/(v1|admin|auth)\//

/** Rejected sign-ins of one lock are recorded once in this time. */
const lockRecordIntervalMs = minutes(30)

/**
 * Records successful writes of the admin and the public API, sign-in and sign-out, and sign-ins that a lock rejects. It
 * records only the operation, its ids and the caller, never submitted values.
 */
export function recordActivity(app: Http, ctx: PlatformContext & { access: Access }, activity: ActivityLog): void {
  const recordedLocks = new RecentMap<string, number>(1_000)
  app.decorateRequest('leaving', null)
  app.decorateRequest('answered')

  // The handler ends the session, so its owner must be read before.
  app.addHook('preHandler', (request, _reply, done) => {
    const isLeaving = actionOf(request).startsWith('signOut')
    const token = isLeaving && (bearerOf(request.headers.authorization) ?? request.cookies[adminCookie])
    if (!token) return done()
    const found = ctx.access.admin(token, 'header').catch(() => null)
    found.then((caller) => {
      request.leaving = caller
      done()
    }, done)
  })

  app.addHook('preSerialization', (request, _reply, payload, done) => {
    if (isWrite(request)) request.answered = idsIn(payload)
    done(null, payload)
  })

  app.addHook('onResponse', (request, reply, done) => {
    done()
    const { config, url = '' } = request.routeOptions
    if (!isWrite(request) || config.skipAudit || !ofAccounts.test(url) || actionOf(request) === '') return
    if (reply.statusCode === 423) {
      noteLock(request).catch((err) => ctx.log.error({ err }, 'A locked sign-in could not be noted'))
    }
    const who = reply.statusCode < 300 ? whoOf(request) : null
    if (who) activity.note({ ...operationOf(request, reply), ...who })
  })

  async function noteLock(request: FastifyRequest): Promise<void> {
    const userId = request.caller?.user.id ?? (await triedAccount(request.body))
    const key = `${userId} ${request.ip}`
    if (ctx.clock.now() - (recordedLocks.get(key) ?? Number.NEGATIVE_INFINITY) < lockRecordIntervalMs) return
    recordedLocks.set(key, ctx.clock.now())
    const nothing = { event_id: null, subject: null, subjectId: null, token_id: null }
    const what = { action: actionOf(request), outcome: 'locked', address: networkOf(request.ip) } as const
    activity.note({ ...what, ...nothing, user_id: userId, via: 'sign-in' })
  }

  /** An unknown name is not recorded, because it may be a password in the wrong field. */
  async function triedAccount(body: unknown): Promise<number | null> {
    const { username } = (body ?? {}) as { username?: unknown }
    const user = typeof username === 'string' ? await findUserByLogin(ctx.db, username) : undefined
    return user?.id ?? null
  }
}

const actionOf = ({ routeOptions }: FastifyRequest): string => routeOptions.schema?.operationId ?? ''

type Who = Pick<Operation, 'user_id' | 'token_id' | 'via'>

/** Returns null for a call without an account, such as a sign-out without a session. */
function whoOf({ caller, leaving, answered }: FastifyRequest): Who | null {
  if (caller) {
    const via = caller.tokenId !== undefined ? 'token' : caller.via === 'cookie' ? 'cookie' : 'session'
    return { user_id: caller.user.id, token_id: caller.tokenId ?? null, via }
  }
  if (leaving) return { user_id: leaving.user.id, token_id: null, via: 'session' }
  if (answered?.userId) return { user_id: answered.userId, token_id: null, via: 'sign-in' }
  return null
}

type What = Pick<Operation, 'action' | 'outcome' | 'address' | 'event_id' | 'subject' | 'subjectId'>

/** The subject is the last id in the path besides the event's, or the record that the call created. */
function operationOf(request: FastifyRequest, reply: FastifyReply): What {
  const params = Object.entries((request.params ?? {}) as Record<string, unknown>)
  const ids = params.filter(([name, id]) => name.endsWith('_id') && Number.isSafeInteger(id)) as Array<[string, number]>
  const action = actionOf(request)
  const answeredId = reply.statusCode === 201 ? (request.answered?.id ?? null) : null
  const [eventMade, made] = isOfEvents(action) ? [answeredId, null] : [null, answeredId]
  const [name, id] = ids.findLast(([one]) => one !== 'event_id') ?? []
  return {
    action,
    outcome: 'done',
    address: networkOf(request.ip),
    event_id: ids.find(([one]) => one === 'event_id')?.[1] ?? eventMade,
    subject: name?.replace(/_id$/, '') ?? (made === null ? null : madeBy(action)),
    subjectId: id ?? made,
  }
}

const isOfEvents = (action: string): boolean => action === 'createEvent' || action === 'duplicateEvent'

/** Returns `api_token` for `createApiToken`. */
const madeBy = (action: string): string =>
  action
    .replace(/^[a-z]+/, '')
    .replace(/(?<=.)[A-Z]/g, '_$&')
    .toLowerCase() || action

function idsIn(payload: unknown): FastifyRequest['answered'] {
  const { id, user } = (payload ?? {}) as { id?: unknown; user?: { id?: unknown } | null }
  const idOf = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : null)
  return { id: idOf(id), userId: idOf(user?.id) }
}
