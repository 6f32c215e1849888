import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catchAppError, catchErrorCode } from '../../tests/support/clients/app-errors.ts'
import { assertTemplate, renderBody } from './template-rules.ts'

const envelope = {
  id: 'f3b1',
  type: 'photo.uploaded',
  data: {
    event: { id: 7, event_name: 'Ana "&" Ben\n\\o/', customer_email: null, is_draft: false },
    photo_ids: [4, 5],
  },
}

const at = (path: string) => `$\{${path}}`
const bodyOf = (template: string, of: object = envelope) => renderBody(template, of).body

describe('a template', () => {
  test.each([
    ['is filled in wherever a path stands', `${at('type')}: ${at('data.event.id')}!`, 'photo.uploaded: 7!'],
    ['takes blanks around a path', at(' type '), 'photo.uploaded'],
    ['leaves a missing path empty', `[${at('data.nothing.there')}]`.slice(1, -1), ''],
    ['leaves null empty', `mail: ${at('data.event.customer_email')}.`, 'mail: .'],
    ['writes booleans as words', `draft: ${at('data.event.is_draft')}`, 'draft: false'],
    ['writes texts as they are', `> ${at('data.event.event_name')}`, '> Ana "&" Ben\n\\o/'],
    ['names members of lists by their position', `no. ${at('data.photo_ids.1')}`, 'no. 5'],
    ['finds nothing beside the members of a list', `(${at('data.photo_ids.length')})`, '()'],
    ['finds nothing that the envelope has not itself', `(${at('data.constructor.name')}${at('__proto__')})`, '()'],
    ['writes lists and objects as JSON', `ids ${at('data.photo_ids')}`, 'ids [4,5]'],
    ['leaves a lone $ and braces alone', `$5 {a} ${at('type')}}`, '$5 {a} photo.uploaded}'],
    ['does not fill in what a value brings', at('text'), at('data.event.id')],
  ])('%s', (_what, template, expected) => {
    assertTemplate(template)
    expect(bodyOf(template, { ...envelope, text: at('data.event.id') })).toBe(expected)
  })

  test('that is JSON escapes values between quotes and writes them as JSON elsewhere', () => {
    const template = `{"text": "New: ${at('data.event.event_name')}", "${at('type')}": [${at('data.event.id')},
      ${at('data.event.event_name')}, ${at('data.photo_ids')}, ${at('data.nothing')}, "${at('data.nothing')}"]}`
    assertTemplate(template)
    const { body, contentType } = renderBody(template, envelope)
    expect(contentType).toBe('application/json')
    const { event, photo_ids } = envelope.data
    expect(JSON.parse(body)).toEqual({
      text: `New: ${event.event_name}`,
      'photo.uploaded': [7, event.event_name, photo_ids, null, ''],
    })
  })

  test('that is JSON only if its placeholders are parts of numbers renders JSON', () => {
    const template = `{"n": "${at('data.event.event_name')}", "a": [-${at('data.event.id')}, 1${at('data.event.id')}.5]}`
    const { body, contentType } = renderBody(template, envelope)
    expect(contentType).toBe('application/json')
    expect(JSON.parse(body)).toEqual({ n: envelope.data.event.event_name, a: [-7, 17.5] })
  })

  test.each([
    ['in a number with a nought before it', `{"n": "${at('name')}", "a": 0${at('nothing')}}`],
    ['in a word', `{"n": "${at('name')}", "a": tru${at('end')}}`],
    ['beside another', `{"n": "${at('name')}", "a": ${at('nothing')} ${at('end')}}`],
    ['alone', at('whole')],
  ])('never becomes JSON with a key from a value: %s', (_where, template) => {
    const brought = { name: '", "evil": "', end: 'e', whole: '{"evil": 1}' }
    for (const values of [brought, { ...brought, end: '1' }]) {
      const { body, contentType } = renderBody(template, values)
      if (contentType === 'application/json') expect(JSON.parse(body)).not.toHaveProperty('evil')
    }
  })

  test('has the content type application/json for JSON, and text/plain for everything else', () => {
    const typeOf = (template: string) => renderBody(template, envelope).contentType
    expect(typeOf(`{"id": ${at('data.event.id')}}`)).toBe('application/json')
    expect(typeOf(at('data'))).toBe('application/json')
    for (const template of [`Photo ${at('id')}`, `{${at('id')}}`, `{"a": ${at('id')}}.`, at('nothing')]) {
      expect(typeOf(template)).toBe('text/plain; charset=utf-8')
    }
  })

  test('null sends the envelope itself', () => {
    expect(renderBody(null, envelope)).toEqual({ body: JSON.stringify(envelope), contentType: 'application/json' })
  })
})

describe('rejects a template at `template`', () => {
  const many = (count: number) => at('id').repeat(count)
  test.each([
    ['for a substitution that is not closed', `{"a": "${at('id')} $\{data.id"}`.replace('"}', '"')],
    ['for an empty path', `a ${at('')} b`],
    ['for a blank path', `a ${at('  ')} b`],
    ['for an empty name in a path', at('data..id')],
    ['for a path that ends in a dot', at('data.')],
    ['for a path that no envelope could have', at('data event')],
    ['for a substitution within another', `$\{a${at('id')}`],
    ['for more than 64 substitutions', many(65)],
    ['for more than 8 KB', `${'ä'.repeat(4096)}a`],
    ['when it is empty', ''],
    ['when it is blank', ' \n'],
  ])('%s', (_what, template) => {
    expect(catchAppError(() => assertTemplate(template))?.extras.details).toMatchObject([{ path: 'template' }])
  })

  test('but not at the limits', () => {
    for (const template of [many(64), 'ä'.repeat(4096)])
      expect(catchAppError(() => assertTemplate(template))).toBeNull()
  })

  test('that renders more than 64 KB', () => {
    const text = 'x'.repeat(32 * 1024)
    expect(bodyOf(at('text').repeat(2), { text })).toHaveLength(64 * 1024)
    expect(catchErrorCode(() => renderBody(`${at('text').repeat(2)}.`, { text }))).toBe('VALIDATION_ERROR')
  })
})

const text = fc.string({ unit: 'grapheme' })
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))

test('a JSON template renders JSON with exactly the given values, inside and outside of quotes', () => {
  const template = `["${at('a')}", ${at('a')}, "x${at('b')}y", {"key": [${at('b')}]}]`
  fc.assert(
    fc.property(value, value, (a, b) => {
      const { body, contentType } = renderBody(template, { a, b })
      expect(contentType).toBe('application/json')
      expect(JSON.parse(body)).toEqual([String(a ?? ''), a, `x${b ?? ''}y`, { key: [b] }])
    }),
  )
})

/** Mostly texts that try to leave the quotes, or continue what the template has started. */
const hostile = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom('", "evil": "', '1, "evil": 2', '"", "evil": ""', '{"evil": 1}', 'e', '.5', ''),
  },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...'"\\,:{}[]1e '), { maxLength: 12 }).map((all) => all.join('')) },
  { weight: 1, arbitrary: value },
)
/** Members of an object; `_` is a placeholder. */
const members = fc.array(
  fc
    .tuple(
      fc.constantFrom(...'"_"|"a _ and _"|[_]|{"b": "_"}|{"b": _}|_|_ _|__|_.5|-_|0_|1_|tru_'.split('|')),
      fc.infiniteStream(fc.constantFrom('a', 'b', 'c')),
    )
    .map(([member, names]) => member.replaceAll('_', () => at(names.next().value))),
  { minLength: 1, maxLength: 4 },
)

/** Returns all keys at every depth. */
const keysOf = (node: unknown): string[] =>
  typeof node === 'object' && node !== null
    ? Object.entries(node).flatMap(([key, one]) => (Array.isArray(node) ? keysOf(one) : [key, ...keysOf(one)]))
    : []

test('a JSON body has only the keys of its template, whatever the values are', () => {
  fc.assert(
    fc.property(members, fc.record({ a: hostile, b: hostile, c: hostile }), (written, values) => {
      const template = `{${written.map((one, index) => `"k${index}": ${one}`).join(', ')}}`
      const { body, contentType } = renderBody(template, values)
      if (contentType !== 'application/json') return
      const own = written.flatMap((one, index) => [`k${index}`, ...(one.startsWith('{') ? ['b'] : [])])
      expect(keysOf(JSON.parse(body))).toEqual(own)
    }),
    { numRuns: 1000 },
  )
})

const piece = fc.oneof(fc.constantFrom('${', '}', '"', '\\\\', '{', 'a', '.', '$'), text)
const anything = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

test('every template is either rejected or can be rendered', () => {
  fc.assert(
    fc.property(anything, (template) => {
      if (catchAppError(() => assertTemplate(template))) return
      expect(renderBody(template, envelope).body).toEqual(expect.any(String))
    }),
  )
})

test('a template that is not JSON is unchanged except for its placeholders', () => {
  fc.assert(
    fc.property(anything, (end) => {
      const template = `Hello ${end}`
      fc.pre(!/\$\{[^}]*$/.test(template))
      expect(bodyOf(template, {})).toBe(template.replaceAll(/\$\{[^}]*\}/g, ''))
    }),
  )
})
