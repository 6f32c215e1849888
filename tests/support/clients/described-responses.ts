import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TestResponse } from './test-client.ts'

type Media = { schema: object; examples?: Record<string, unknown> }
type Response = { headers?: Record<string, { $ref: string }>; content?: Record<string, Media> }
type Operation = { responses: Record<string, Response> }
type Description = {
  paths: Record<string, Record<string, Operation>>
  components: { headers: Record<string, { required?: boolean }> }
}
type Check = (method: string, path: string, answer: TestResponse) => string | null

type Read = (document: string) => Promise<TestResponse>

/** The OpenAPI descriptions, by the paths that they cover. Each response is checked against its description. */
const descriptions = [
  { paths: /^\/api\/v1\//, document: '/api/openapi.json', check: null as Check | null },
  {
    paths: /^\/api\/(admin\/(?!openapi\.json)|auth\/|invite\/|public\/)/,
    document: '/api/admin/openapi.json',
    check: null as Check | null,
  },
  {
    paths: /^\/api\/(gallery\/(?!(openapi|postman)\.json)|customer\/|oembed(\?|$))/,
    document: '/api/gallery/openapi.json',
    check: null as Check | null,
  },
]

/** Loads the descriptions. After that, the clients of this process check every response of these APIs. */
export async function loadDescriptions(read: Read): Promise<void> {
  for (const one of descriptions) one.check ??= createResponseValidator((await read(one.document)).body)
}

const findDescription = (path: string) => descriptions.find(({ paths }) => paths.test(path))

export const hasDescription = (path: string): boolean => findDescription(path) !== undefined

export function assertMatchesDescription(method: string, path: string, answer: TestResponse): void {
  const mismatch = findDescription(path)?.check?.(method, path, answer)
  if (mismatch) throw new Error(`${method} ${path} answered ${answer.status}: ${mismatch}`)
}

/** Returns a function that describes the first difference between a response and its description, or returns null. */
export function createResponseValidator(description: Description): Check {
  const getValidator = createSchemaValidators(description)
  const paths = Object.entries(description.paths)
    .map(([template, operations]) => ({ template, operations, pattern: createPathPattern(template) }))
    .sort((a, b) => countParameters(a.template) - countParameters(b.template))

  return (method, path, answer) => {
    const { status, headers, body, bytes } = answer
    const { template = '', operations } = paths.find(({ pattern }) => pattern.test(path.replace(/\?.*/, ''))) ?? {}
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = operations?.[verb]
    // A described GET may have no HEAD.
    if (status === 405 && (!operation || method === 'HEAD')) return null
    if (!operation) return status === 404 || method === 'OPTIONS' ? null : 'the call is not described'
    const response = operation.responses[status]
    if (!response) return 'the status is not described'
    const missing = requiredHeaders(response, description).find((name) => !headers.has(name))
    if (missing) return `the header ${missing} is missing`
    if (method === 'HEAD' || !response.content) return bytes.length === 0 ? null : 'there is a body'

    const type = headers.get('content-type')?.split(';')[0] ?? ''
    const range = [type, type.replace(/\/.*/, '/*'), '*/*'].find((one) => response.content?.[one])
    if (!range) return `the type ${type} is not described`
    if (type !== 'application/json') return null
    const validate = getValidator(['paths', template, verb, 'responses', `${status}`, 'content', range, 'schema'])
    const { code } = body ?? {}
    if (!validate(body)) return `the body is not as described: ${JSON.stringify(validate.errors)}`
    const isKnown = status < 400 || code in (response.content[range]?.examples ?? {})
    return isKnown ? null : `the code ${code} is not described`
  }
}

const requiredHeaders = ({ headers = {} }: Response, { components }: Description): string[] =>
  Object.entries(headers).flatMap(([name, { $ref }]) => {
    return components.headers[$ref.split('/').at(-1) ?? '']?.required ? [name] : []
  })

const countParameters = (template: string): number => template.split('{').length - 1

const createPathPattern = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`)

/** Returns a function that compiles the schema at a list of keys. Objects reject properties that are not described. */
export function createSchemaValidators(document: object): (place: string[]) => ValidateFunction {
  const ajv = addFormats.default(new Ajv2020({ allErrors: true, strict: false, formats: { binary: true } }))
  ajv.addSchema(forbidUnknownKeys(document) as object, 'api', undefined, false)
  return (place) => {
    const pointer = place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
    const validate = ajv.getSchema(`api#/${pointer.join('/')}`)
    if (!validate) throw new Error(`No schema stands at ${place.join(' ')}`)
    return validate
  }
}

function forbidUnknownKeys(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(forbidUnknownKeys)
  if (typeof node !== 'object' || node === null) return node
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, forbidUnknownKeys(value)]))
  return inner.type === 'object' && inner.properties ? { additionalProperties: false, ...inner } : inner
}
