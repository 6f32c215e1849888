/** The parts of an OpenAPI document that a collection needs. References to examples are resolved, others are not needed. */
type Parameter = { name: string; in: string; description?: string; example?: unknown; schema?: { default?: unknown } }
type Field = { type?: string; format?: string; description?: string }
type Media = {
  schema: { properties?: Record<string, Field>; required?: string[] }
  examples?: Record<string, Reference>
}
type Reference = { $ref: string }
type Operation = {
  tags: string[]
  summary: string
  description: string
  security: Array<Record<string, unknown>>
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
}
type Document = {
  info: { title: string; version: string; description: string }
  tags: Array<{ name: string; description: string }>
  paths: Record<string, Record<string, Operation>>
  components: { examples: Record<string, { value: unknown }> }
}
type Route = { path: string; method: string; operation: Operation }

const format = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/**
 * Returns a Postman collection (2.1), which Bruno, Insomnia and others import too: a folder for each tag, and the first example
 * of each body. Address, token and the ids of paths are variables.
 */
export function createCollection(description: object, baseUrl: string): object {
  const document = description as Document
  const { info, tags, paths } = document
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => ({ path, method: method.toUpperCase(), operation })),
  )
  const ids = new Set(routes.flatMap(({ path }) => pathNames(path)))
  const folders = tags.map(({ name, description: about }) => ({
    name,
    description: about,
    item: routes.filter(({ operation }) => operation.tags[0] === name).map((route) => createItem(document, route)),
  }))
  return {
    info: { name: info.title, version: info.version, description: info.description, schema: format },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'token', value: '' },
      ...[...ids].map((key) => ({ key, value: '' })),
    ],
    item: folders.filter(({ item }) => item.length > 0),
  }
}

const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function createItem(document: Document, { path, method, operation }: Route) {
  const { summary, description, security, parameters = [], requestBody } = operation
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {})
  const header = [...of('header').map(disabled), ...(type === undefined ? [] : contentType(type))]
  return {
    name: summary,
    request: {
      method,
      description,
      ...(security.length === 0 && { auth: { type: 'noauth' } }),
      header,
      url: {
        raw: `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{baseUrl}}'],
        path: path
          .replace(/\{(\w+)\}/g, ':$1')
          .slice(1)
          .split('/'),
        query: of('query').map(disabled),
        variable: of('path').map(({ name, description: about }) => ({
          key: name,
          value: `{{${name}}}`,
          ...(about !== undefined && { description: about }),
        })),
      },
      ...(type !== undefined && media !== undefined && { body: createBody(document, type, media) }),
    },
    response: [],
  }
}

/** Optional parameters are listed, but not sent until they are chosen. */
const disabled = ({ name, description, example, schema }: Parameter) => ({
  key: name,
  value: String(example ?? schema?.default ?? ''),
  ...(description !== undefined && { description }),
  disabled: true,
})

/** The program that sends a form writes its type with the boundary. */
const contentType = (type: string) => (type === 'multipart/form-data' ? [] : [{ key: 'Content-Type', value: type }])

function createBody({ components }: Document, type: string, { schema, examples = {} }: Media) {
  if (type === 'application/json') {
    const [reference] = Object.values(examples)
    const { value } = components.examples[reference?.$ref.replace('#/components/examples/', '') ?? ''] ?? { value: {} }
    return { mode: 'raw', raw: JSON.stringify(value, null, 2), options: { raw: { language: 'json' } } }
  }
  if (type !== 'multipart/form-data') return { mode: 'file', file: {} }
  const fields = Object.entries(schema.properties ?? {}).map(([key, field]) => {
    const isFile = field.format === 'binary' || field.type === 'array'
    return {
      key,
      ...(isFile ? { type: 'file', src: [] } : { type: 'text', value: '' }),
      ...(field.description !== undefined && { description: field.description }),
      ...(!schema.required?.includes(key) && { disabled: true }),
    }
  })
  return { mode: 'formdata', formdata: fields }
}
