export type Schema = { $ref?: string; examples?: unknown[]; required?: string[]; properties?: Record<string, Schema> }
export type Media = { schema: Schema; examples?: Record<string, { $ref: string }> }
type Response = { description: string; headers?: Record<string, { $ref: string }>; content?: Record<string, Media> }
type Parameter = { name: string; in: string; required: boolean; example?: unknown; schema: object }
export type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Array<Record<string, string[]>>
  'x-required-scope'?: string
  'x-required-permission'?: string[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
}
export type Description = {
  openapi: string
  info: { title: string; version: string; description: string }
  tags: Array<{ name: string; description: string }>
  servers?: Array<{ url: string }>
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post?: Operation }>
  components: {
    schemas: Record<string, Schema>
    examples: Record<string, { value: unknown }>
    securitySchemes: Record<string, { type: string; scheme: string }>
  }
}

export type NamedOperation = [route: string, operation: Operation]

export const listOperations = (description: Description): NamedOperation[] =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): NamedOperation => [`${method.toUpperCase()} ${path}`, operation],
    ),
  )

export function getOperation(description: Description, name: string): Operation {
  const found = listOperations(description).find(([route]) => route === name)?.[1]
  if (!found) throw new Error(`${name} is not described`)
  return found
}
