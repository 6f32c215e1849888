import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController, type RawServerDefault } from 'fastify'
import { AppError } from '../app-error.ts'
import type { Config } from '../config.ts'
import { limitBodiesBySchema, minBodyBytes } from './body-limits.ts'
import { acceptJsonBodies } from './json-bodies.ts'
import { sendMalformedRequest, sendNotFound, sendProblem } from './problem-responses.ts'
import { limitRequestBodies } from './request-bodies.ts'
import { securityHeaders } from './security-headers.ts'
import { compileValidator } from './validation.ts'

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

/** Handles a request and returns true; false leaves it to the framework. Only for the most frequent responses. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean

const idPrefix = randomBytes(4).toString('hex')
let lastRequest = 0

/** Unique in the logs of all nodes; sent as `X-Request-Id` with every response. */
export const createRequestId = (): string => `${idPrefix}-${(++lastRequest).toString(36)}`

/** Replace the compilers of Fastify. Responses are checked by TypeScript, so they are not filtered by their schemas. */
const ownCompilers = {
  // The type that Fastify requires here is that of its default compiler.
  buildValidator: () => compileValidator as never,
  buildSerializer: () => () => JSON.stringify,
}

export function createHttp({ trustProxy: proxies }: Config, log: FastifyBaseLogger, fastPath: FastPath): Http {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestId,
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
        if (!fastPath(request, response)) handler(request, response)
      }).on('checkExpectation', handler)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setErrorHandler(sendProblem)
  app.setNotFoundHandler(sendNotFound)
  acceptJsonBodies(app)
  limitRequestBodies(app)
  limitBodiesBySchema(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    const { httpVersion, headers } = request.raw
    if (httpVersion === '1.1' && headers.host === undefined) throw new AppError('INVALID_REQUEST')
  })
  // Before the body is parsed, so that any body sent to an unknown route gets a 404.
  app.addHook('preParsing', async (request) => {
    if (request.is404) throw new AppError('NOT_FOUND')
  })
  // A response may be about one person, so no cache may store it unless a route allows that.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  app.addHook('onResponse', async (request, reply) => {
    const isQuiet = request.method === 'GET' && reply.statusCode < 400
    const line = {
      method: request.method,
      // The pattern, not the path: paths contain share tokens.
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
    }
    if (isQuiet) request.log.debug(line)
    else request.log.info(line)
  })
  return app
}
