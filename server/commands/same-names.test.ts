import { expect, test } from 'vitest'
import { compareFiles, type FileDecision, type SameNameChoice } from './same-names.ts'

const photo = (id: number, source_filename: string, content_hash: string) => ({
  id,
  source_filename,
  content_hash,
  media_type: 'image' as const,
  size_bytes: 1,
})
const photos = [
  photo(1, 'DSC_1.JPG', 'one'),
  photo(2, 'DSC_2.JPG', 'two'),
  photo(3, 'DSC_3.JPG', 'three'),
  photo(5, 'DSC_5.JPG', 'five'),
  photo(6, 'DSC_5.JPG', 'six'),
]
const file = (path: string, content: string | Error) => ({
  path,
  name: path.split('/').at(-1) ?? '',
  sizeBytes: 1,
  hash: async () => {
    if (content instanceof Error) throw content
    return content
  },
})
const files = [
  file('card 2/DSC_1.JPG', 'other'),
  file('dsc_1.jpg', 'retouched'),
  file('DSC_2.JPG', 'two'),
  file('DSC_2.jpeg', 'small'),
  file('DSC_3.tif', 'finished'),
  file('DSC_4.JPG', 'new'),
  file('DSC_5.JPG', 'seven'),
  file('renamed.jpg', 'one'),
  file('unreadable.jpg', new Error('no permission')),
]

async function decide(left: readonly string[], sameName?: SameNameChoice): Promise<Record<string, FileDecision>> {
  const chosen = files.filter(({ path }) => !left.includes(path))
  const decided = await compareFiles(chosen, photos, sameName ? { sameName } : {})
  return Object.fromEntries([...decided].map(([{ path }, decision]) => [path, decision]))
}

test('each answer decides about files with the name of a photo and other content; other files need none', async () => {
  const present = { 'DSC_2.JPG': 'present' }
  expect(await decide(['renamed.jpg'], 'replace')).toEqual({
    ...present,
    'card 2/DSC_1.JPG': { replaces: 1 },
    'dsc_1.jpg': 'add',
    'DSC_3.tif': { replaces: 3 },
    'DSC_5.JPG': 'several',
  })
  for (const choice of ['add', 'skip'] as const) {
    const ambiguous = choice === 'skip' ? 'skip' : 'several'
    const named = { 'card 2/DSC_1.JPG': choice, 'dsc_1.jpg': choice, 'DSC_3.tif': choice, 'DSC_5.JPG': ambiguous }
    expect(await decide(['renamed.jpg'], choice)).toEqual({ ...present, ...named })
  }
})

test('without an answer and a terminal, files are left out, and those of another extension added', async () => {
  const undecided = { 'card 2/DSC_1.JPG': 'undecided', 'dsc_1.jpg': 'undecided' }
  const named = { ...undecided, 'DSC_3.tif': 'add', 'DSC_5.JPG': 'several' }
  expect(await decide(['renamed.jpg'])).toEqual({ 'DSC_2.JPG': 'present', ...named })
})

test('no file replaces a photo that is a file of the folder already, so that a repeated import changes nothing', async () => {
  const present = { 'DSC_2.JPG': 'present', 'renamed.jpg': 'present' }
  expect(await decide(['DSC_5.JPG'], 'replace')).toEqual({ ...present, 'DSC_3.tif': { replaces: 3 } })
})
