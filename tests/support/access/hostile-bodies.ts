import type { JsonSchema } from './open-routes.ts'

/** Text whose processing takes long if some code is not linear. Each repeats a unit up to a number of bytes. */
const units: Record<string, string> = {
  'marks of two classes': '\u0301\u0316',
  'half-width marks': '\uff9e\u0316',
  '30 marks after each letter': `a${'\u0301\u0316'.repeat(15)}`,
  spaces: ' ',
  'line breaks': '\r\n',
  points: '.',
  slashes: '/',
  digits: '0',
  'letters and hyphens': 'a-',
  'mail addresses': 'a@',
  'labels of a domain': 'a.',
  markup: '<&"',
  emoji: '\u{1f469}\u200d',
  'capitals with a dot': '\u0130',
}

/** Returns text of at most `bytes` bytes in JSON. It ends unlike its unit, so that a pattern for its end has to go back. */
function repeatTo(unit: string, bytes: number): string {
  const unitBytes = Buffer.byteLength(JSON.stringify(unit)) - 2
  return `x${unit.repeat(Math.max(0, Math.floor((bytes - 4) / unitBytes)))}x`
}

/** Returns numbers from 0 to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Returns a value that the schema allows; text of random length, with every optional key. */
function createValue(schema: JsonSchema, random: () => number): unknown {
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const choose = <T>(values: readonly T[]): T => values[between(0, values.length - 1)] as T
  if ('const' in schema) return schema.const
  if (schema.enum) return choose(schema.enum)
  if (schema.anyOf) return createValue(choose(schema.anyOf.filter(({ type }) => type !== 'null')), random)
  if (schema.type === 'object') {
    const entries = Object.entries(schema.properties ?? {})
    return Object.fromEntries(entries.map(([key, inner]) => [key, createValue(inner, random)]))
  }
  if (schema.type === 'array') {
    const length = between(schema.minItems ?? 1, Math.min(5, schema.maxItems ?? 5))
    return Array.from({ length }, () => createValue(schema.items ?? {}, random))
  }
  if (schema.type === 'boolean') return random() < 0.5
  if (schema.type === 'integer' || schema.type === 'number') {
    return between(schema.minimum ?? 0, Math.min(schema.maximum ?? 1000, 1000))
  }
  if (schema.format === 'email') return 'ana@example.com'
  if (schema.pattern) return '0123456789abcdef'
  return choose(['a', 'z', '7', '\u00e9']).repeat(between(schema.minLength ?? 1, Math.min(schema.maxLength ?? 50, 50)))
}

/** Paths of all text and lists in a schema, as keys. */
function listPlaces(schema: JsonSchema, path: string[] = []): Array<{ path: string[]; schema: JsonSchema }> {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => listPlaces(one, path))
  if (schema.type === 'object') {
    return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => listPlaces(inner, [...path, key]))
  }
  return (schema.type === 'string' && !schema.enum) || schema.type === 'array' ? [{ path, schema }] : []
}

function place(body: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  return { ...(body as object), [key]: place((body as Record<string, unknown>)?.[key] ?? {}, rest, value) }
}

export type HostileBody = { name: string; create: (bytes: number) => unknown }

/** Returns bodies of any length for a schema: each hostile text in each text, and in keys that it does not have. */
export function listHostileBodies(schema: JsonSchema, random: () => number): HostileBody[] {
  const valid = createValue(schema, random)
  const places = listPlaces(schema)
  const unknown = { path: ['unknown'], schema: { type: 'string' } as JsonSchema }
  const texts = [...places.filter(({ schema: { type } }) => type === 'string'), unknown]
  const inText = texts.flatMap(({ path, schema: { maxLength } }) =>
    Object.entries(units).flatMap(([name, unit]) => {
      const create = (bytes: number) => place(valid, path, repeatTo(unit, bytes))
      const createWithin = (bytes: number) => place(valid, path, repeatTo(unit, bytes).slice(0, maxLength))
      const at = `${name} in ${path.join('.')}`
      return [
        { name: at, create },
        ...(maxLength && maxLength >= 1000 ? [{ name: `${at}, within its length`, create: createWithin }] : []),
      ]
    }),
  )
  const count = (bytes: number, each: number) => Array.from({ length: Math.floor(bytes / each) }, (_, index) => index)
  const lists = [...places.filter(({ schema: { type } }) => type === 'array'), unknown]
  const inLists = lists.flatMap(({ path }) => [
    {
      name: `objects in ${path}`,
      create: (bytes: number) =>
        place(
          valid,
          path,
          count(bytes, 3).map(() => ({})),
        ),
    },
    { name: `numbers in ${path}`, create: (bytes: number) => place(valid, path, count(bytes, 7)) },
    {
      name: `texts in ${path}`,
      create: (bytes: number) =>
        place(
          valid,
          path,
          count(bytes, 4).map(() => '7'),
        ),
    },
  ])
  const inKeys = [
    {
      name: 'many unknown keys',
      create: (bytes: number) => ({
        ...(valid as object),
        ...Object.fromEntries(count(bytes, 12).map((index) => [`k${index}`, 1])),
      }),
    },
    {
      name: 'a long unknown key',
      create: (bytes: number) => ({ ...(valid as object), [repeatTo('\u0301\u0316', bytes)]: 1 }),
    },
  ]
  return [...inText, ...inLists, ...inKeys]
}
