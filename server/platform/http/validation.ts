import { isDeepStrictEqual } from 'node:util'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import type { FaultKind, ProblemDetail } from '../../../contract/problems.ts'
import { findClosestName } from '../configuration/closest-name.ts'
import { AppError, ValidationProblem } from '../errors/app-error.ts'
import { hasTooManyMarks } from '../text/normalize-text.ts'
import { type BodySchema, dropUnknown, normalizeFields } from './body-fields.ts'

const maxDetails = 20
const options = { allErrors: true, useDefaults: true, removeAdditional: false, strict: false, verbose: true }

/** JSON bodies are not coerced; paths and queries are text, which may be coerced to numbers and booleans. */
const bodyAjv = createAjv(options)
const parameterAjv = createAjv({ ...options, coerceTypes: true })

/**
 * `x-matches` is a `pattern` with classes of Unicode, such as `\p{Nd}`. Python's `re` does not know these, so a client
 * that compiles each `pattern` of the API description would fail.
 */
function createAjv(options: Options): Ajv {
  return addFormats.default(new Ajv(options)).addKeyword({
    keyword: 'x-matches',
    type: 'string',
    schemaType: 'string',
    compile: (source: string) => {
      const pattern = new RegExp(source, 'u')
      return (text: string) => pattern.test(text)
    },
  })
}

/** Compiles each validator at the first request that needs it, so that the service starts faster. */
export const compileValidator: FastifySchemaCompiler<ParameterSchema & BodySchema & object> = ({
  schema,
  httpPart,
}) => {
  if ('x-streamed' in schema) return () => true
  let compiled: ValidateFunction | undefined
  if (httpPart === 'body') {
    return (body) => {
      compiled ??= bodyAjv.compile(schema)
      return validateBody(schema, compiled, body)
    }
  }
  const isPath = httpPart === 'params'
  return (data) => {
    // An empty path parameter, as in `/events/`.
    if (isPath && Object.values(data as object).includes('')) return { error: missingId() }
    const invalid = findInvalidValue(schema, data)
    if (invalid) return { error: invalid }
    compiled ??= parameterAjv.compile(schema)
    return compiled(data) ? { value: data } : { error: createValidationProblem(compiled.errors ?? []) }
  }
}

/**
 * Returns the known fields of the body, with text in NFC. Text is normalized only after its length was checked. Text that
 * this changes is validated again.
 */
function validateBody(schema: BodySchema, validate: ValidateFunction, body: unknown) {
  const known = dropUnknown(schema, body)
  if (!validate(known)) return { error: createValidationProblem(validate.errors ?? []) }
  try {
    const value = normalizeFields(known)
    const isValid = isDeepStrictEqual(value, known) || validate(value)
    return isValid ? { value } : { error: createValidationProblem(validate.errors ?? []) }
  } catch (error) {
    return { error: error as Error }
  }
}

const missingId = () => new AppError('NOT_FOUND', { text: 'An ID or name is missing in this path.' })

/** Validates data by a schema, without coercion. Throws ValidationProblem. */
export function validateShape<T>(schema: object, data: unknown): T {
  const validate = bodyAjv.compile(schema)
  if (!validate(data)) throw createValidationProblem(validate.errors ?? [])
  return data as T
}

function createValidationProblem(errors: ErrorObject[]): ValidationProblem {
  return new ValidationProblem(reported(errors).slice(0, maxDetails).map(toProblemDetail))
}

function reported(errors: ErrorObject[]): ErrorObject[] {
  const choices = new Set(errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath))
  const isRedundant = ({ keyword, instancePath, params }: ErrorObject) =>
    choices.has(instancePath) && (keyword === 'anyOf' || params.type === 'null' || keyword === 'const')
  const rest = errors.filter((error) => !isRedundant(error))
  return keepFirstPerText(rest.length > 0 ? rest : errors)
}

/** Text that is too short often has a wrong form, too; one error for a field is enough. */
function keepFirstPerText(errors: ErrorObject[]): ErrorObject[] {
  const reported = new Set<string>()
  return errors.filter(({ keyword, instancePath }) => {
    if (!/^(minLength|maxLength|pattern|x-matches|format)$/.test(keyword)) return true
    const isFirst = !reported.has(instancePath)
    reported.add(instancePath)
    return isFirst
  })
}

type ParameterSchema = { properties?: Record<string, { type?: string; anyOf?: Array<{ type?: string }> }> }

/** Finds NUL characters, too many combining marks, and notations of numbers that coercion would accept, such as `0x10`. */
function findInvalidValue(schema: ParameterSchema, data: unknown): ValidationProblem | null {
  for (const [key, value] of Object.entries(data as object)) {
    if (typeof value !== 'string') continue
    const path = key.slice(0, 100)
    if (value.includes('\0')) return new ValidationProblem([{ path, message: 'must not contain NUL characters' }])
    if (hasTooManyMarks(value)) return new ValidationProblem([{ path, message: tooManyMarks }])
    if (value === '') continue
    const { type, anyOf = [] } = schema.properties?.[key] ?? {}
    const types = [type, ...anyOf.map((one) => one.type)]
    const wrong = numberTypes.find(({ type, plain }) => types.includes(type) && !plain.test(value))
    if (wrong) return new ValidationProblem([{ path, message: wrong.message, kind: 'wrong_type' }])
  }
  return null
}

const tooManyMarks = 'must not contain more than 30 combining marks in a row'

const numberTypes = [
  { type: 'integer', plain: /^(0|-?[1-9]\d*)$/, message: 'must be a whole number' },
  { type: 'number', plain: /^-?(0|[1-9]\d*)(\.\d+)?$/, message: 'must be a number' },
]

/** Contains the path and the rule, never the value. */
function toProblemDetail(error: ErrorObject): ProblemDetail {
  const parent = error.instancePath.slice(1).replaceAll('/', '.')
  const key: unknown = error.params.missingProperty ?? error.params.additionalProperty
  const path = [parent, typeof key === 'string' ? key.slice(0, 100) : ''].filter(Boolean).join('.')
  return { path, message: formatMessage(error), ...toFault(error) }
}

const formatMessage = (error: ErrorObject): string =>
  messages[error.keyword]?.(error) ?? error.message ?? 'is not allowed'

const messages: Record<string, (error: ErrorObject) => string | undefined> = {
  required: () => 'is required',
  additionalProperties: formatUnknown,
  enum: ({ params }) => `must be one of ${(params.allowedValues as unknown[]).join(', ')}`,
  pattern: formatPattern,
  'x-matches': formatPattern,
  format: ({ params }) => formats[params.format as string]?.message,
  minLength: ({ params: { limit } }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ params: { limit } }) => `must have at most ${limit} characters`,
}

function formatPattern({ parentSchema }: ErrorObject): string | undefined {
  return (parentSchema as { 'x-pattern'?: string })['x-pattern']
}

/** The keys that a route returns and does not accept, by the schema of its body. */
const readOnlyKeys = new WeakMap<object, Set<string>>()

type RecordSchema = { properties?: Record<string, unknown> }

/** Lets a route that changes a record say which keys of the record are read-only. */
export function collectReadOnlyKeys(app: FastifyInstance): void {
  app.addHook('onRoute', ({ schema }) => {
    const body = schema?.body as RecordSchema | undefined
    const { properties } = ((schema?.response ?? {}) as Record<string, RecordSchema>)[200] ?? {}
    if (body && properties) readOnlyKeys.set(body, new Set(Object.keys(properties)))
  })
}

function formatUnknown({ params, parentSchema }: ErrorObject): string {
  const known = Object.keys((parentSchema as ParameterSchema).properties ?? {})
  const key = String(params.additionalProperty)
  if (readOnlyKeys.get(parentSchema as object)?.has(key)) return 'is read-only and cannot be changed'
  const closest = findClosestName(key, known)
  return closest === null ? 'is not a known field' : `is not a known field: did you mean ${closest}?`
}

function toFault({ keyword, params }: ErrorObject): Pick<ProblemDetail, 'kind' | 'limit'> {
  const kind = keyword === 'format' ? formats[params.format as string]?.kind : faultKinds[keyword]
  if (!kind) return {}
  return { kind, ...(typeof params.limit === 'number' && { limit: params.limit }) }
}

const faultKinds: Record<string, FaultKind> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  enum: 'not_a_choice',
  const: 'not_a_choice',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  maximum: 'too_large',
  exclusiveMaximum: 'too_large',
  minItems: 'too_few',
  maxItems: 'too_many',
  type: 'wrong_type',
  pattern: 'wrong_form',
  'x-matches': 'wrong_form',
}

const formats: Record<string, { kind: FaultKind; message?: string }> = {
  email: { kind: 'not_a_mail_address', message: 'must be an email address' },
  uri: { kind: 'not_a_web_address', message: 'must be a complete URL, such as https://example.com' },
  'date-time': { kind: 'not_a_time', message: 'must be an ISO-8601 time' },
  date: { kind: 'not_a_time' },
}
