import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { ProblemDetail } from '../../../contract/problems.ts'

const mostDetails = 20
const options = { allErrors: true, useDefaults: true, removeAdditional: false, strict: false }

/** JSON bodies are taken at their word; everything in an address is text and may be read as a number. */
const bodies = addFormats.default(new Ajv(options))
const addresses = addFormats.default(new Ajv({ ...options, coerceTypes: true }))

/** Validators are compiled at the first request that needs them: a start compiles none. */
export const compileValidator: FastifySchemaCompiler<AddressSchema & object> = ({ schema, httpPart }) => {
  if ('x-streamed' in schema) return () => true
  const ajv = httpPart === 'body' ? bodies : addresses
  let validate: ReturnType<typeof ajv.compile> | undefined
  return (data) => {
    const odd = ajv === addresses ? oddValue(schema, data) : null
    if (odd) return { error: odd }
    validate ??= ajv.compile(schema)
    return validate(data) ? { value: data } : { error: validationError(validate.errors ?? []) }
  }
}

/** What a validator found; the error handler answers it as VALIDATION_ERROR. */
export class ValidationProblem extends Error {
  readonly details: ProblemDetail[]
  constructor(details: ProblemDetail[]) {
    super('validation')
    this.details = details
  }
}

function validationError(errors: ErrorObject[]): ValidationProblem {
  return new ValidationProblem(told(errors).slice(0, mostDetails).map(detailOf))
}

/** Of a field that may also be null, what it else must be is enough to say. */
function told(errors: ErrorObject[]): ErrorObject[] {
  const choices = new Set(errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath))
  const isNoise = ({ keyword, instancePath, params }: ErrorObject) =>
    choices.has(instancePath) && (keyword === 'anyOf' || params.type === 'null' || keyword === 'const')
  const rest = errors.filter((error) => !isNoise(error))
  return rest.length > 0 ? rest : errors
}

type AddressSchema = { properties?: Record<string, { type?: string; anyOf?: Array<{ type?: string }> }> }

/** What coercion would let through: text that no database could compare, and numbers as only programs write them. */
function oddValue(schema: AddressSchema, data: unknown): ValidationProblem | null {
  for (const [key, value] of Object.entries(data as object)) {
    if (typeof value !== 'string') continue
    const path = key.slice(0, 100)
    if (value.includes('\0')) return new ValidationProblem([{ path, message: 'must not contain NUL characters' }])
    const { type, anyOf = [] } = schema.properties?.[key] ?? {}
    const isNumber = [type, ...anyOf.map((one) => one.type)].some((one) => one === 'integer' || one === 'number')
    if (isNumber && value !== '' && !plainNumber.test(value)) {
      return new ValidationProblem([{ path, message: 'must be a number' }])
    }
  }
  return null
}

const plainNumber = /^-?\d+(\.\d+)?$/

/** The path of the field and what it must be, never what was sent. */
function detailOf(error: ErrorObject): ProblemDetail {
  const parent = error.instancePath.slice(1).replaceAll('/', '.')
  const key: unknown = error.params.missingProperty ?? error.params.additionalProperty
  const path = [parent, typeof key === 'string' ? key.slice(0, 100) : ''].filter(Boolean).join('.')
  if (error.keyword === 'required') return { path, message: 'is required' }
  if (error.keyword === 'additionalProperties') return { path, message: 'is not a field that can be set here' }
  if (error.keyword === 'enum') {
    return { path, message: `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}` }
  }
  return { path, message: error.message ?? 'is not allowed' }
}
