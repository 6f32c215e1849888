import type { RouteOptions } from 'fastify'
import { createApp } from '../../../server/app.ts'
import { withAppContext } from '../fixtures/accounts.ts'
import type { TestService } from '../service/test-service.ts'

/** The keywords of JSON Schema that schemas of bodies use. */
export type JsonSchema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  required?: string[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: unknown
  anyOf?: JsonSchema[]
}

export type OpenRoute = {
  method: string
  url: string
  body: JsonSchema | undefined
  bodyLimit: number
  consumes: string
}

/** Returns the writes that need no session of an account: those of guests, customers and callers without a session. */
export async function listOpenWrites(service: TestService): Promise<OpenRoute[]> {
  const routes: OpenRoute[] = []
  const collect = ({ method, url, schema, config, bodyLimit }: RouteOptions) => {
    if (config?.permission !== undefined) return
    const { body, consumes = [] } = (schema ?? {}) as { body?: JsonSchema; consumes?: readonly string[] }
    for (const one of [method].flat()) {
      if (/^(GET|HEAD|OPTIONS)$/.test(one)) continue
      routes.push({ method: one, url, body, bodyLimit: bodyLimit ?? 0, consumes: consumes.join() })
    }
  }
  await withAppContext(service, async (ctx) => {
    const { http } = await createApp(ctx, collect)
    await http.ready()
    await http.close()
  })
  return routes
}
