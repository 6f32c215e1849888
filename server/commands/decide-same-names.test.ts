import { expect, test } from 'vitest'
import { languages } from '../../contract/languages.ts'
import { getTranslator } from '../platform/text/messages.ts'
import {
  assertCanVersion,
  compareFiles,
  type FileDecision,
  findRepeated,
  type SameNameChoice,
} from './decide-same-names.ts'

const photo = (id: number, source_filename: string, content_hash: string) => ({
  id,
  source_filename,
  original_filename: source_filename,
  content_hash,
  media_type: 'image' as const,
  size_bytes: 1,
  captured_at: id * 1000,
  uploaded_by: 'admin' as const,
})
const photos = [
  photo(1, 'DSC_1.JPG', 'one'),
  photo(2, 'DSC_2.JPG', 'two'),
  photo(3, 'DSC_3.JPG', 'three'),
  photo(5, 'DSC_5.JPG', 'five'),
  photo(6, 'DSC_5.JPG', 'six'),
  photo(7, 'DSC_7.JPG', 'of another camera'),
]
const file = (path: string, content: string | Error, capturedAt: number | null = null) => ({
  path,
  name: path.split('/').at(-1) ?? '',
  sizeBytes: 1,
  hash: async () => {
    if (content instanceof Error) throw content
    return content
  },
  capturedAt: async () => capturedAt,
})
const files = [
  file('card 2/DSC_1.JPG', 'other'),
  file('dsc_1.jpg', 'retouched'),
  file('DSC_2.JPG', 'two'),
  file('DSC_2.jpeg', 'small'),
  file('DSC_3.tif', 'finished'),
  file('DSC_4.JPG', 'new'),
  file('DSC_5.JPG', 'seven'),
  file('DSC_7.JPG', 'of this camera', 8000),
  file('dsc_5.jpg', 'six, brighter', 6000),
  file('renamed.jpg', 'one'),
  file('unreadable.jpg', new Error('no permission')),
]

const earlier = [{ id: 3, size_bytes: 1, content_hash: 'three, before' }]

async function decide(left: readonly string[], sameName?: SameNameChoice): Promise<Record<string, FileDecision>> {
  const chosen = files.filter(({ path }) => !left.includes(path))
  const decided = await compareFiles(chosen, { photos, earlier }, sameName ? { sameName } : {})
  return Object.fromEntries([...decided].map(([{ path }, decision]) => [path, decision]))
}

test('each answer decides about files with the name of a photo and other content; other files need none', async () => {
  const present = { 'DSC_2.JPG': 'present' }
  const replacing = await decide(['renamed.jpg'], 'replace')
  expect(await decide(['renamed.jpg'], 'version')).toEqual(replacing)
  expect(replacing).toEqual({
    ...present,
    'card 2/DSC_1.JPG': { replaces: 1 },
    'dsc_1.jpg': 'add',
    'DSC_3.tif': { replaces: 3 },
    'DSC_5.JPG': 'several',
    'DSC_7.JPG': 'otherTime',
    'dsc_5.jpg': { replaces: 6 },
  })
  for (const choice of ['add', 'skip'] as const) {
    const named = ['card 2/DSC_1.JPG', 'dsc_1.jpg', 'DSC_3.tif', 'DSC_5.JPG', 'DSC_7.JPG', 'dsc_5.jpg']
    const all = Object.fromEntries(named.map((path) => [path, choice]))
    expect(await decide(['renamed.jpg'], choice)).toEqual({ ...present, ...all })
  }
})

test('of files with equal content, all but the first of the shortest name are repeated', async () => {
  const equal = [file('IMG_9.JPG', 'nine'), file('copies/IMG_9.JPG', 'nine'), file('IMG_9 copy.JPG', 'ten')]
  expect([...(await findRepeated([...equal, file('a.jpg', new Error('no permission'))]))]).toEqual([equal[1]])
  const copies = [file('Copie de IMG_9.JPG', 'nine'), file('all/IMG_9.JPG', 'nine'), file('web/IMG_9.JPG', 'nine')]
  expect([...(await findRepeated(copies))].sort()).toEqual([copies[2], copies[0]])
})

test('without an answer and a terminal, files are left out, and those of another extension added', async () => {
  const named = ['card 2/DSC_1.JPG', 'dsc_1.jpg', 'DSC_5.JPG', 'DSC_7.JPG', 'dsc_5.jpg']
  const undecided = Object.fromEntries(named.map((path) => [path, 'undecided']))
  expect(await decide(['renamed.jpg'])).toEqual({ 'DSC_2.JPG': 'present', 'DSC_3.tif': 'add', ...undecided })
})

test('no file replaces a photo that is a file of the folder already, so that a repeated import changes nothing', async () => {
  const present = { 'DSC_2.JPG': 'present', 'renamed.jpg': 'present' }
  expect(await decide(['DSC_5.JPG', 'dsc_5.jpg', 'DSC_7.JPG'], 'replace')).toEqual({
    ...present,
    'DSC_3.tif': { replaces: 3 },
  })
})

test('the earlier file of a replaced photo is left out, and another file may replace the photo', async () => {
  const again = [file('camera/DSC_3.JPG', 'three, before'), file('retouched/DSC_3.JPG', 'three, brighter')]
  const decided = await compareFiles(again, { photos, earlier }, { sameName: 'replace' })
  expect(again.map((one) => decided.get(one))).toEqual(['earlier', { replaces: 3 }])
})

test('versions are added only to an event that keeps them', () => {
  const event = { slug: 'ana', keep_versions: 0 }
  expect(() => assertCanVersion(event, { sameName: 'version' })).toThrow('The event ana does not keep versions.')
  assertCanVersion(event, { sameName: 'replace' })
  assertCanVersion({ ...event, keep_versions: true }, { sameName: 'version' })
})

test.each(languages)('the letters of the answers are in parentheses in the questions in %s', (language) => {
  const { t } = getTranslator('commands', language)
  const [replace, ...others] = t('lettersReplaceAddSkipList')
  const findLetters = (question: 'askReplaceAddSkip' | 'askVersionAddSkip' | 'askAddSkip') =>
    [...t(question).matchAll(/\((\p{L})\)/gu)].map(([, letter]) => letter?.toLowerCase())
  expect(findLetters('askReplaceAddSkip')).toEqual([replace, ...others])
  expect(findLetters('askVersionAddSkip')).toEqual([...t('lettersVersionAddSkipList')])
  expect(new Set(t('lettersVersionAddSkipList')).size).toBe(4)
  expect(findLetters('askAddSkip')).toEqual(others)
  expect(new Set([replace, ...others]).size).toBe(4)
})
