import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController, type RawServerDefault } from 'fastify'
import type { Config } from '../configuration/config.ts'
import { AppError } from '../errors/app-error.ts'
import { limitBodiesBySchema, minBodyBytes } from './body-limits.ts'
import type { HttpMetrics } from './http-metrics.ts'
import { acceptJsonBodies } from './json-bodies.ts'
import { collectPaths } from './known-paths.ts'
import { sendMalformedRequest, sendProblem } from './problem-responses.ts'
import { limitRequestBodies } from './request-bodies.ts'
import { securityHeaders } from './security-headers.ts'
import { reportUnknownKeys } from './unknown-keys.ts'
import { describeUnknownRoute } from './unknown-routes.ts'
import { collectReadOnlyKeys, compileValidator } from './validation.ts'

declare module 'fastify' {
  /** Metadata for the API description. */
  interface FastifySchema {
    operationId?: string
    tags?: readonly string[]
    summary?: string
    description?: string
    consumes?: readonly string[]
    hide?: boolean
  }
}

export type Http = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Only for the most frequent responses. */
export type FastPath = {
  /** The pattern of the route that it serves. */
  route: string
  /** Handles a request and returns true; false leaves it to the framework. */
  handle: (request: IncomingMessage, response: ServerResponse) => boolean
}

const idPrefix = randomBytes(4).toString('hex')
let lastRequest = 0

/** Unique in the logs of all nodes. */
const createRequestId = (): string => `${idPrefix}-${(++lastRequest).toString(36)}`

/** Short, and without characters that a log or a header could misread. */
const acceptedId = /^[\w.:-]{1,128}$/

/** Returns the `X-Request-Id` of the request if it is acceptable, else a new one. Every response has it. */
export function requestIdOf({ headers: { 'x-request-id': sent } }: Pick<IncomingMessage, 'headers'>): string {
  return typeof sent === 'string' && acceptedId.test(sent) ? sent : createRequestId()
}

/** Replace the compilers of Fastify. Responses are checked by TypeScript, so they are not filtered by their schemas. */
const ownCompilers = {
  // The type that Fastify requires here is that of its default compiler.
  buildValidator: () => compileValidator as never,
  buildSerializer: () => () => JSON.stringify,
}

type HttpOptions = { fastPath?: FastPath; metrics?: HttpMetrics }

export function createHttp(
  { trustProxy: proxies }: Pick<Config, 'trustProxy'>,
  log: FastifyBaseLogger,
  { fastPath, metrics }: HttpOptions = {},
): Http {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    // A number is the count of trusted proxy hops, starting at this server.
    trustProxy: typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies,
    bodyLimit: minBodyBytes,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    schemaController: { compilersFactory: ownCompilers },
    // For URLs that the router rejects; no hooks have run.
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders).header('x-request-id', request.id)
      sendProblem(error, request, reply)
    },
    clientErrorHandler: (error, socket) => sendMalformedRequest(error, socket, createRequestId()),
    serverFactory: (handler) => {
      const limits = { headersTimeout: 20_000, requestTimeout: 0, keepAliveTimeout: 75_000 }
      // Node would respond to a missing Host and an unknown Expect by itself, not in the problem format of the API.
      const options = { ...limits, connectionsCheckingInterval: 5_000, requireHostHeader: false }
      return createServer(options, (request, response) => {
        const startedAt = performance.now()
        if (!fastPath?.handle(request, response)) return handler(request, response)
        metrics?.count('GET', fastPath.route, response.statusCode, performance.now() - startedAt)
      }).on('checkExpectation', handler)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setErrorHandler(sendProblem)
  const paths = collectPaths(app)
  app.setNotFoundHandler((request, reply) => sendProblem(describeUnknownRoute(paths, request, reply), request, reply))
  acceptJsonBodies(app)
  limitRequestBodies(app)
  limitBodiesBySchema(app)
  reportUnknownKeys(app)
  collectReadOnlyKeys(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    const { httpVersion, headers } = request.raw
    if (httpVersion === '1.1' && headers.host === undefined) throw new AppError('INVALID_REQUEST')
  })
  // Before the body is parsed, so that any body sent to an unknown route gets a 404.
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404) throw describeUnknownRoute(paths, request, reply)
  })
  // A response may be about one person, so no cache may store it unless a route allows that.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  app.addHook('onResponse', async (request, reply) => {
    const isQuiet = request.method === 'GET' && reply.statusCode < 400
    // The pattern, not the path: paths contain share tokens.
    const { url: route } = request.routeOptions
    metrics?.count(request.method, route, reply.statusCode, reply.elapsedTime)
    const line = {
      method: request.method,
      route: route ?? 'unknown',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
    }
    if (isQuiet) request.log.debug(line)
    else request.log.info(line)
  })
  return app
}
