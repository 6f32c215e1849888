import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController, type RawServerDefault } from 'fastify'
import { AppError } from '../app-error.ts'
import type { Config } from '../config.ts'
import { takeJsonBodies } from './json-bodies.ts'
import { answerBrokenRequest, answerNotFound, answerProblem } from './problem-replies.ts'
import { watchRequestBodies } from './request-bodies.ts'
import { securityHeaders } from './security-headers.ts'
import { compileValidator } from './validation.ts'

declare module 'fastify' {
  /** What a route says of itself to whoever describes it. */
  interface FastifySchema {
    operationId?: string
    tags?: readonly string[]
    summary?: string
    description?: string
    /** What the body may come as; JSON by default. */
    consumes?: readonly string[]
    /** Left out of every description. */
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

/** Answers a request before the framework sees it; false hands it on. For the hottest answers alone. */
export type ShortPath = (request: IncomingMessage, response: ServerResponse) => boolean

const bodyLimitBytes = 2 ** 20
const idPrefix = randomBytes(4).toString('hex')
let lastRequest = 0

/** Unique in the log of all nodes; sent as `X-Request-Id` with every answer. */
export const nextRequestId = (): string => `${idPrefix}-${(++lastRequest).toString(36)}`

/** A number counts hops from us outwards. */
const trusted = (proxies: Config['trustProxy']) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies

/**
 * Given at the start, they keep the framework from loading its own. Records are built key by key and typed by the schema,
 * so nothing has to be filtered out again.
 */
const ownCompilers = {
  // Its type is that of the compiler which the framework would load.
  buildValidator: () => compileValidator as never,
  buildSerializer: () => () => JSON.stringify,
}

/** The web server with everything every route shares: limits, JSON, validation, security headers, errors, log. */
export function createHttp(config: Config, log: FastifyBaseLogger, shortPath: ShortPath): Http {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextRequestId,
    trustProxy: trusted(config.trustProxy),
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    schemaController: { compilersFactory: ownCompilers },
    // For an address that no route can be looked up for; hooks have not run.
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders).header('x-request-id', request.id)
      answerProblem(error, request, reply)
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, nextRequestId()),
    serverFactory: (handler) => {
      const limits = { headersTimeout: 20_000, requestTimeout: 0, keepAliveTimeout: 75_000 }
      // Node would answer a missing Host and an unknown Expect by itself, in words that no client of ours reads.
      const options = { ...limits, connectionsCheckingInterval: 5_000, requireHostHeader: false }
      return createServer(options, (request, response) => {
        if (!shortPath(request, response)) handler(request, response)
      }).on('checkExpectation', handler)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setErrorHandler(answerProblem)
  app.setNotFoundHandler(answerNotFound)
  takeJsonBodies(app)
  watchRequestBodies(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    const { httpVersion, headers } = request.raw
    if (httpVersion === '1.1' && headers.host === undefined) throw new AppError('INVALID_REQUEST')
  })
  // Before its body is looked at: what is sent to nowhere is neither right nor wrong. But it counts as a request.
  app.addHook('preParsing', async (request) => {
    if (request.is404) throw new AppError('NOT_FOUND')
  })
  // What the service knows may be about one person: nobody on the way keeps it.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  app.addHook('onResponse', async (request, reply) => {
    const isQuiet = request.method === 'GET' && reply.statusCode < 400
    const line = {
      method: request.method,
      // The pattern, never the address itself: share tokens stand in paths.
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
    }
    if (isQuiet) request.log.debug(line)
    else request.log.info(line)
  })
  return app
}
