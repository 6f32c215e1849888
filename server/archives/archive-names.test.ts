import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createArchiveNames, createArchivePaths } from './archive-names.ts'

test.each([
  ['a.jpg b.jpg a.jpg a.jpg', 'a.jpg b.jpg a_1.jpg a_2.jpg'],
  ['a.jpg a.jpg a_1.jpg', 'a.jpg a_2.jpg a_1.jpg'],
  ['a.jpg a.jpg a.jpg a_1.jpg', 'a.jpg a_2.jpg a_3.jpg a_1.jpg'],
  ['a.jpg b.jpg b.jpg a.jpg b.jpg', 'a.jpg b.jpg b_1.jpg a_1.jpg b_2.jpg'],
  ['IMG.JPG img.jpg', 'IMG.JPG img_1.jpg'],
  ['Zoë.jpg ZOË.JPG', 'Zoë.jpg ZOË_1.JPG'],
  ['zo\u00eb.jpg zoe\u0308.jpg', 'zo\u00eb.jpg zo\u00eb_1.jpg'],
  ['ΟΔΟΣ.jpg οδος.jpg οδοσ.jpg', 'ΟΔΟΣ.jpg οδος_1.jpg οδοσ_2.jpg'],
  ['straße.jpg STRASSE.JPG', 'straße.jpg STRASSE_1.JPG'],
  ['\u00c5.jpg A\u030a.jpg \u212b.jpg', '\u00c5.jpg \u00c5_1.jpg \u00c5_2.jpg'],
])(
  'names in one archive later names get a free number; neither case nor form distinguishes names: %j are %j',
  (names, written) => {
    expect(createArchiveNames(names.split(' '))).toEqual(written.split(' '))
  },
)

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\Photos\\a.jpg', 'a.jpg'],
  ['.htaccess', 'htaccess'],
  ['...', 'photo'],
  ['', 'photo'],
  [' a.jpg ', 'a.jpg'],
  ['a.jpg.', 'a.jpg'],
  ['a<b>|c?.jpg', 'a_b__c_.jpg'],
  ['a\u0000\n\u202egpj.exe', 'agpj.exe'],
  ['a\ud800.jpg', 'a.jpg'],
  ['CON', '_CON'],
  ['photos/con.jpg', '_con.jpg'],
  ['nul.jpg', '_nul.jpg'],
  ['Com1.tar.gz', '_Com1.tar.gz'],
  ['lpt¹.jpg', '_lpt¹.jpg'],
  ['console.jpg', 'console.jpg'],
  ['CON1', 'CON1'],
  ['my con.jpg', 'my con.jpg'],
  ['CONIN$', '_CONIN$'],
  ['conout$.txt', '_conout$.txt'],
  ['aux.', '_aux'],
  ['a<>:"|?*b.jpg', 'a_______b.jpg'],
  [' . .a.jpg. . ', 'a.jpg'],
  ['a . b.jpg', 'a . b.jpg'],
  ['zoe\u0308.jpg', 'zo\u00eb.jpg'],
  [`é${'a'.repeat(234)}.jpg`, `é${'a'.repeat(234)}.jpg`],
  [`é${'a'.repeat(235)}.jpg`, `é${'a'.repeat(234)}.jpg`],
  [`${'a'.repeat(230)}${' .'.repeat(10)}b.jpg`, `${'a'.repeat(230)}.jpg`],
  [`${'a'.repeat(300)}`, 'a'.repeat(240)],
  ['Brautpaar – 新娘 💍.jpg', 'Brautpaar – 新娘 💍.jpg'],
])('names in one archive %j is written as %j', (original, name) => {
  expect(createArchiveNames([original])).toEqual([name])
})

test.each([
  [`a.${'x'.repeat(16)}`, `a_1.${'x'.repeat(16)}`],
  [`a.${'x'.repeat(17)}`, `a.${'x'.repeat(17)}_1`],
  ['a.b c', 'a.b c_1'],
  ['a.tar.gz', 'a.tar_1.gz'],
  ['a', 'a_1'],
  ['💍.jpg', '💍_1.jpg'],
])('names in one archive the second %j is written as %j', (name, second) => {
  expect(createArchiveNames([name, name])).toEqual([name, second])
})

test.each(['é', '新', '💍'])(
  'names in one archive a long name of %s is cut between characters and keeps its extension',
  (letter) => {
    const names = createArchiveNames(Array.from({ length: 30 }, () => `${letter.repeat(200)}.jpeg`))
    expect(new Set(names).size).toBe(30)
    for (const name of names) {
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      expect(name).toMatch(new RegExp(`^(${letter})+(_\\d+)?\\.jpeg$`, 'u'))
    }
  },
)

test('names in one archive names 20,000 photos of one name quickly', () => {
  const names = createArchiveNames(Array.from({ length: 20_000 }, () => 'IMG_0001.JPG'))
  expect(new Set(names).size).toBe(20_000)
  expect(names.at(-1)).toBe('IMG_0001_19999.JPG')
})

const strange = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('a', 'A', 'é', 'e\u0301', '_', '1', '.', '/', ' ', '\ud800'), maxLength: 8 }),
  fc.constantFrom('a.jpg', 'A.jpg', 'a_1.jpg', 'con', 'CON.jpg', 'photo', '.', '..'),
)

test('names in one archive any names become different and valid on Windows, macOS and Linux', () => {
  fc.assert(
    fc.property(fc.array(strange, { maxLength: 40 }), (originals) => {
      const names = createArchiveNames(originals)
      expect(names).toHaveLength(originals.length)
      expect(new Set(names.map((name) => name.normalize('NFD').toUpperCase())).size).toBe(names.length)
      for (const name of names) {
        expect(name).not.toMatch(/[/\\<>:"|?*\p{Cc}]|^[. ]|[. ]$|^(con|nul|aux|prn)(\.|$)/iu)
        expect(name.isWellFormed()).toBe(true)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
        expect(name).not.toBe('')
      }
    }),
    { numRuns: 100 },
  )
})

const inFolder = (id: number, folderName: string, name: string) => ({ name, folder: { id, name: folderName } })

test('paths in one archive names are unique in their folder only, and folders of one name are distinguished', () => {
  const files = [
    inFolder(1, 'Party', 'a.jpg'),
    inFolder(2, 'party', 'a.jpg'),
    { name: 'a.jpg', folder: null },
    inFolder(1, 'Party', 'A.jpg'),
    { name: 'a.jpg', folder: null },
  ]
  expect(createArchivePaths(files)).toEqual(['Party/a.jpg', 'party_1/a.jpg', 'a.jpg', 'Party/A_1.jpg', 'a_1.jpg'])
})

test('paths in one archive a file beside the folders never has the name of a folder or a reserved name', () => {
  const files = [{ name: 'Party', folder: null }, inFolder(1, 'Party', 'a.jpg'), { name: 'list.txt', folder: null }]
  expect(createArchivePaths(files, ['LIST.txt'])).toEqual(['Party_1', 'Party/a.jpg', 'list_1.txt'])
  expect(createArchivePaths([inFolder(1, 'list.txt', 'a.jpg')], ['list.txt'])).toEqual(['list_1.txt/a.jpg'])
})

test.each([
  ['Church / Registry', 'Church - Registry/a.jpg'],
  ['../../etc', '-..-etc/a.jpg'],
  ['..\\..', '-/a.jpg'],
  ['...', 'photo/a.jpg'],
  ['nul', '_nul/a.jpg'],
  ['Party?', 'Party_/a.jpg'],
])('paths in one archive a folder %j has a safe name', (name, path) => {
  expect(createArchivePaths([inFolder(1, name, '../a.jpg')])).toEqual([path])
})

test('paths in one archive any names become paths of one folder at most', () => {
  const folder = fc.option(fc.record({ id: fc.integer({ min: 1, max: 3 }), name: fc.string({ unit: 'binary' }) }))
  fc.assert(
    fc.property(fc.array(fc.record({ name: fc.string({ unit: 'binary' }), folder }), { maxLength: 30 }), (files) => {
      const paths = createArchivePaths(files)
      expect(new Set(paths.map((path) => path.normalize('NFD').toUpperCase())).size).toBe(files.length)
      for (const [index, path] of paths.entries()) {
        const parts = path.split('/')
        expect(parts).toHaveLength(files[index]?.folder ? 2 : 1)
        for (const part of parts) expect(part).not.toMatch(/[\\<>:"|?*\p{Cc}]|^[. ]|[. ]$|^$/u)
      }
    }),
  )
})
