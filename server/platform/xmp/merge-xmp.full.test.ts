import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { expect, it } from 'vitest'
import { sidecarEncodings, sidecarForms } from '../../../tests/support/media/sidecar-forms.ts'
import { mergeXmp, type XmpChange } from './merge-xmp.ts'
import { readXmp } from './read-xmp.ts'
import { RejectedXmp } from './rejected-xmp.ts'
import { decodeXmp } from './xmp-encoding.ts'

const forms = Object.entries(sidecarForms)
const encodings = Object.entries(sidecarEncodings)
const cases = forms.flatMap(([program, form]) =>
  encodings.map(([name, encode]) => ({ name: `${program}, ${name}`, form, encode })),
)
const green = { text: 'Grün', color: 'green' } as const
const change: XmpChange = { rating: 5, label: green }

const withoutSpaces = (bytes: Uint8Array) => decodeXmp(bytes).text.replace(/\s+(?=<\?xpacket end)/, '')
const isPadded = (bytes: Uint8Array) => / {50}\s*<\?xpacket end/.test(decodeXmp(bytes).text)

/** The elements, attributes and texts of a file, without rating and label of the photo. */
function toOtherContent(bytes: Uint8Array): string[] {
  const found: string[] = []
  const path: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  const isMark = (uri: string, local: string, depth: number) =>
    uri === 'http://ns.adobe.com/xap/1.0/' && ['Rating', 'Label'].includes(local) && depth === 3
  parser.on('opentag', ({ uri, local, attributes }) => {
    path.push(`{${uri}}${local}`)
    if (isMark(uri, local, path.length - 1)) return
    const others = Object.values(attributes).filter((one) => !isMark(one.uri, one.local, path.length))
    found.push(path.join('/'), ...others.map((one) => `{${one.uri}}${one.local}=${one.value}`).sort())
  })
  parser.on('text', (text) => {
    if (text.trim() && !/(Rating|Label|xmp\/\}Photo)$/.test(path.at(-1) ?? '')) found.push(text)
  })
  parser.on('closetag', () => path.pop())
  parser.write(decodeXmp(bytes).text).close()
  return found
}

const list = (...numbers: number[]) =>
  Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
 <rdf:Description rdf:about="" xmlns:dt="http://darktable.sf.net/" dt:auto_presets_applied="1">
  <dt:colorlabels><rdf:Seq>${numbers.map((number) => `<rdf:li>${number}</rdf:li>`).join('')}</rdf:Seq></dt:colorlabels>
 </rdf:Description></rdf:RDF></x:xmpmeta>`)

it.each([
  [[0], { color: 'green', text: 'Green' }, [2]],
  [[0, 3], { color: 'purple', text: 'Purple' }, [4]],
  [[1], { color: null, text: '' }, []],
  [[2], { color: 'green', text: 'Green' }, [2]],
  [[], { color: 'red', text: 'Red' }, []],
] as const)('the colors of darktable %j with %j is %j', (before, label, after) => {
  const merged = mergeXmp(list(...before), { label }).toString()
  expect(merged.replace(/ xmlns:xmp="[^"]*"| xmp:Label="[^"]*"/g, '')).toBe(list(...after).toString())
})

it('the colors of darktable are read where there is one', () => {
  expect(readXmp(list(3)).labelColor).toBe('blue')
  expect(readXmp(list(3, 1)).labelColor).toBeNull()
  expect(readXmp(list()).labelColor).toBeNull()
})

it.each(cases)('sidecars of photo programs replaces only the values: $name', ({ form, encode }) => {
  const original = encode(form({ rating: '2', label: 'Red' }))
  const merged = mergeXmp(original, change)
  expect(withoutSpaces(merged)).toBe(withoutSpaces(encode(form({ rating: '5', label: 'Grün' }))))
  expect(toOtherContent(merged)).toEqual(toOtherContent(original))
  if (isPadded(original)) expect(merged.length).toBe(original.length)
  expect(mergeXmp(merged, change).equals(merged)).toBe(true)
  expect(withoutSpaces(mergeXmp(merged, { rating: 2, label: { text: 'Red', color: 'red' } }))).toBe(
    withoutSpaces(original),
  )
})

it.each(cases)(
  'sidecars of photo programs inserts missing values in the style of the file: $name',
  ({ form, encode }) => {
    const original = encode(form({ rating: null, label: null }))
    const merged = mergeXmp(original, change)
    expect(readXmp(merged)).toMatchObject({ rating: 5, label: 'Grün' })
    expect(toOtherContent(merged)).toEqual(toOtherContent(original))
    expect(isSingleInsertion(withoutSpaces(original), withoutSpaces(merged))).toBe(true)
    const text = decodeXmp(merged).text
    expect(/Rating=/.test(text)).toBe(/Rating=/.test(form({ rating: '5', label: null })) || text.includes('crs:Look'))
    if (isPadded(original)) expect(merged.length).toBe(original.length)
    expect(mergeXmp(merged, change).equals(merged)).toBe(true)
  },
)

it.each(forms)('sidecars of photo programs has at least 40 files, each with values that are read: %s', (_, form) => {
  expect(cases.length).toBeGreaterThanOrEqual(40)
  expect(readXmp(Buffer.from(form({ rating: '-1', label: 'Select' })))).toMatchObject({ rating: -1, label: 'Select' })
  expect(readXmp(Buffer.from(form({ rating: null, label: '' })))).toMatchObject({ rating: null, label: null })
})

function isSingleInsertion(before: string, after: string): boolean {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  return after.endsWith(before.slice(start))
}

const wrap = (description: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}</rdf:RDF></x:xmpmeta>`
const xmlns = 'xmlns:xmp="http://ns.adobe.com/xap/1.0/"'
const merge = (text: string, changed: XmpChange) => mergeXmp(Buffer.from(text), changed).toString()
const rejectionOf = (bytes: string | Uint8Array, changed: XmpChange = change): string | undefined => {
  try {
    mergeXmp(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, changed)
  } catch (error) {
    if (error instanceof RejectedXmp) return error.rejection
    throw error
  }
}

it('forms that programs allow themselves identifies properties by namespace, whatever their prefix, and declares a free one', () => {
  const odd = wrap(
    '<rdf:Description xmlns:a="http://ns.adobe.com/xap/1.0/" xmlns:xmp="urn:other" xmp:Rating="9" a:Rating="1"/>',
  )
  expect(merge(odd, { rating: 3 })).toBe(odd.replace('a:Rating="1"', 'a:Rating="3"'))
  const taken = wrap('<rdf:Description xmlns:xmp="urn:other" xmp:Rating="9"/>')
  const declared = 'xmp:Rating="9" xmlns:xmp1="http://ns.adobe.com/xap/1.0/" xmp1:Rating="3"/>'
  expect(merge(taken, { rating: 3 })).toContain(declared)
  expect(merge(wrap(''), { rating: 1 })).toContain(`<rdf:Description rdf:about="" ${xmlns} xmp:Rating="1"/>`)
})

it('forms that programs allow themselves changes every copy of a value, and what digiKam and Lightroom write beside the label', () => {
  const digikam = 'xmlns:d="http://www.digikam.org/ns/1.0/" d:ColorLabel="1"'
  const photoshop = 'xmlns:p="http://ns.adobe.com/photoshop/1.0/" p:LabelColor="red"'
  const copies = wrap(
    `<rdf:Description ${xmlns} xmp:Label="Red" ${digikam}/><rdf:Description ${xmlns} ${photoshop}><xmp:Label>Red</xmp:Label></rdf:Description>`,
  )
  const merged = merge(copies, { label: green })
  expect(merged).toBe(copies.replaceAll('Red', 'Grün').replace('"1"', '"4"').replace('"red"', '"green"'))
  expect(readXmp(Buffer.from(merged)).labelColor).toBe('green')
  expect(merge(copies, { label: { text: '', color: null } })).toContain('d:ColorLabel="0"')
})

it('forms that programs allow themselves fills empty elements, keeps spaces around values, and reads CDATA; leaves bytes alone that say the same', () => {
  const empty = wrap(`<rdf:Description ${xmlns}><xmp:Label/><xmp:Rating>\n 2\t</xmp:Rating></rdf:Description>`)
  expect(merge(empty, change)).toBe(
    empty.replace('<xmp:Label/>', '<xmp:Label>Grün</xmp:Label>').replace(' 2\t', ' 5\t'),
  )
  const cdata = wrap(`<rdf:Description ${xmlns}><xmp:Label><![CDATA[Red]]></xmp:Label></rdf:Description>`)
  expect(readXmp(Buffer.from(cdata)).label).toBe('Red')
  expect(merge(cdata, { label: green })).toContain('<xmp:Label>Grün</xmp:Label>')
  const same = wrap(`<rdf:Description ${xmlns} xmp:Rating="4.0" xmp:Label="G&#114;een"/>`)
  expect(merge(same, { rating: 4, label: { text: 'Green', color: 'green' } })).toBe(same)
  const none = wrap('<rdf:Description rdf:about=""/>')
  expect(merge(none, { rating: 0, label: { text: '', color: null }, keywords: [], notes: '' })).toBe(none)
})

const more = {
  identity: 'a/1/2',
  synced: '5 green',
  notes: 'Ana: Crop & "brighten"\n[/Proofroom]',
  keywords: ['Proofroom: picked by Ana', 'Proofroom: picked by <Ben>'],
}
const noMore = { identity: '', synced: '', notes: '', keywords: [] }

it.each(cases)(
  'identity, notes and keywords are added once and removed, and other content stays: $name',
  ({ form, encode }) => {
    const original = encode(form({ rating: '1', label: null }))
    const before = readXmp(original)
    const merged = mergeXmp(original, more)
    const { keywords, instructions, ...values } = readXmp(merged)
    expect(values).toEqual({ ...values, identity: 'a/1/2', synced: '5 green', rating: 1 })
    expect(instructions).toBe('[Proofroom]\nAna: Crop & "brighten"\n(Proofroom)\n[/Proofroom]')
    expect(new Set(keywords)).toEqual(new Set([...before.keywords, ...more.keywords]))
    expect(mergeXmp(merged, more).equals(merged)).toBe(true)
    const other = { notes: 'Ben: no', keywords: ['Proofroom: picked by Zoë'] }
    const changed = readXmp(mergeXmp(merged, other))
    expect(new Set(changed.keywords)).toEqual(new Set([...before.keywords, ...other.keywords]))
    expect(changed.instructions).toBe('[Proofroom]\nBen: no\n[/Proofroom]')
    const others = (bytes: Buffer) => toOtherContent(bytes).filter((line) => !isEmptied(line))
    expect(others(mergeXmp(merged, noMore))).toEqual(others(original))
  },
)

/** Declarations of namespaces and empty properties stay. */
const isEmptied = (line: string) => /urn:proofroom|2000\/xmlns|photoshop\/1\.0\/}Instructions=?$/.test(line)

it('identity, notes and keywords stay beside those of the photographer, whose bytes stay', () => {
  const xml = `<rdf:Description ${xmlns} xmlns:p="http://ns.adobe.com/photoshop/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  p:Instructions="for &quot;print&quot; only">
  <dc:subject><rdf:Bag><rdf:li>G&#114;een</rdf:li></rdf:Bag></dc:subject></rdf:Description>`
  const merged = merge(wrap(xml), { notes: 'Ana: yes', keywords: ['Proofroom: picked by Ana'] })
  expect(merged).toBe(
    wrap(xml)
      .replace('only"', 'only&#10;[Proofroom]&#10;Ana: yes&#10;[/Proofroom]"')
      .replace('</rdf:li>', '</rdf:li><rdf:li>Proofroom: picked by Ana</rdf:li>'),
  )
  expect(merge(merged, noMore)).toBe(wrap(xml))
  expect(merge(merged.replaceAll('&#10;', '&#xA;'), noMore)).toBe(wrap(xml))
})

it('identity, notes and keywords replace a list without keywords', () => {
  const xml = `<rdf:Description ${xmlns} xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag/></dc:subject></rdf:Description>`
  const merged = merge(wrap(xml), { keywords: ['Proofroom: picked by Ana'] })
  expect(readXmp(Buffer.from(merged)).keywords).toEqual(['Proofroom: picked by Ana'])
  expect(merged.split('dc:subject>')).toHaveLength(3)
  expect(merge(merged, noMore)).toBe(wrap(xml.replace('<dc:subject><rdf:Bag/></dc:subject>', '')))
})

it('reads when a program has last changed the metadata', () => {
  const changedAt = (attributes: string) =>
    readXmp(Buffer.from(wrap(`<rdf:Description ${xmlns} ${attributes}/>`))).changedAt
  expect(changedAt('xmp:ModifyDate="2026-05-01T10:00:00+02:00" xmp:MetadataDate="2026-05-01T10:00:01.5+02:00"')).toBe(
    Date.parse('2026-05-01T08:00:01.5Z'),
  )
  expect(changedAt('xmp:ModifyDate="2026-05-01T10:00:00"')).toBe(new Date(2026, 4, 1, 10).getTime())
  expect(changedAt('xmp:ModifyDate="2026-05-01" xmp:MetadataDate="now"')).toBeNull()
})

const description = `<rdf:Description ${xmlns} xmp:Rating="1"/>`
const inside = (content: string) => wrap(`<rdf:Description ${xmlns}>${content}</rdf:Description>`)
const attributes = Array.from({ length: 10_001 }, (_, index) => `a${index}=""`).join(' ')
it.each([
  ['malformed', '', 'nothing'],
  ['malformed', wrap(description).slice(0, -3), 'a file that ends early'],
  ['malformed', wrap(`<rdf:Description ${xmlns} xmp:Rating="1" xmp:Rating="1"/>`), 'an attribute twice'],
  ['malformed', wrap(`<rdf:Description ${xmlns} xmp:Label="&red;"/>`), 'an unknown entity'],
  ['malformed', wrap('<rdf:Description xmp:Rating="1"/>'), 'an undeclared prefix'],
  ['doctype', `<!DOCTYPE x [<!ENTITY red "Red">]>${wrap(description)}`, 'a document type'],
  ['packet', `<?xpacket begin="ï»¿" id="W5M0"?>${wrap(description)}`, 'a damaged start of the packet'],
  ['encoding', Buffer.concat([Buffer.from('<?xpacket begin="'), Buffer.of(0xff, 0xfe), Buffer.from('"?>')]), 'bytes'],
  ['encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${wrap(description)}`, 'another encoding'],
  ['encoding', Buffer.from(`\ufeff${wrap(description)}`, 'utf16le').subarray(0, -1), 'half a character'],
  ['structure', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'another kind of XML'],
  ['structure', wrap('<a xmlns="urn:a"/>'), 'another element in its place'],
  ['structure', `<a>${wrap(description)}</a>`, 'a packet inside of other elements'],
  ['structure', inside('<xmp:Rating>1<!-- 2 --></xmp:Rating>'), 'a comment'],
  ['structure', inside('<xmp:Label><b/></xmp:Label>'), 'elements in a value'],
  ['structure', inside('<xmp:Label rdf:parseType="Resource"/>'), 'a structure'],
  ['structure', wrap(`${'<rdf:Description>'.repeat(3)}<a>${'<b>'.repeat(200)}`), 'deep nesting'],
  ['structure', inside('<xmp:Rating/>'.repeat(200)), 'many copies'],
  ['structure', inside('<a/>'.repeat(210_000)), 'very many elements'],
  ['structure', wrap(`<rdf:Description ${attributes}/>`), 'very many attributes'],
  ['contradiction', wrap(`${description}${description.replace('1"/>', '2"/>')}`), 'two ratings'],
  ['size', Buffer.alloc(4 * 2 ** 20 + 1, ' '), 'a large file'],
])('files that are not edited %s: %#', (rejection, bytes, _name) => {
  expect(rejectionOf(bytes)).toBe(rejection)
})

it('files that are not edited does not read two ratings', () => {
  const two = wrap(`${description}${description.replace('1"/>', '2"/>')}`)
  expect(() => readXmp(Buffer.from(two))).toThrow(RejectedXmp)
})

const someForm = fc.constantFrom(...Object.values(sidecarForms))
const someEncoding = fc.constantFrom(...Object.values(sidecarEncodings))
const someText = fc.string({ unit: 'binary', maxLength: 40 })
const someMarks = fc.record({
  rating: fc.option(fc.integer({ min: -1, max: 5 }).map(String)),
  label: fc.option(fc.constantFrom('', 'Red', 'Gelb', 'レッド')),
})

it('any content reads back what it has written, and writes it once', () => {
  const property = fc.property(
    someForm,
    someEncoding,
    someMarks,
    fc.integer({ min: 0, max: 5 }),
    someText,
    (form, encode, marks, rating, text) => {
      const original = encode(form(marks))
      const changed = { rating, label: { text, color: null }, identity: text }
      const merged = mergeXmp(original, changed)
      const values = readXmp(merged)
      expect(values.rating ?? 0).toBe(rating)
      expect(values.identity).toBe(values.label)
      expect(toOtherContent(merged).filter((line) => !line.includes('urn:proofroom'))).toEqual(toOtherContent(original))
      expect(mergeXmp(merged, changed).equals(merged)).toBe(true)
    },
  )
  fc.assert(property, { numRuns: 60 })
})

it('any content rejects damaged files, or edits only their values', () => {
  const property = fc.property(someForm, fc.nat(), fc.nat({ max: 255 }), (form, at, byte) => {
    const damaged = Buffer.from(form({ rating: '1', label: 'Red' }))
    damaged[at % damaged.length] = byte
    if (rejectionOf(damaged) !== undefined) return
    expect(readXmp(mergeXmp(damaged, change))).toMatchObject({ rating: 5, label: 'Grün' })
  })
  fc.assert(property, { numRuns: 100 })
})
