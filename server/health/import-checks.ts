import type { HealthItem } from '../../contract/health.ts'
import { listRefused } from '../imports/import-rows.ts'
import { warningOf } from '../imports/import-source.ts'
import type { House } from '../settings/house.ts'

/** Nobody waits for more to be counted. */
const mostCounted = 1000

type Item = Pick<HealthItem, 'status' | 'text' | 'fix'>
type Words = { text: string; fix: string }

/** What this node has found waiting, and what the instance has refused. */
export async function checkImports(house: House): Promise<HealthItem> {
  const waiting = (['folder', 'bucket'] as const).flatMap((kind) => {
    const warning = house.warnings.find(warningOf({ kind }))
    return warning ? [waitingWords(kind, warning.facts)] : []
  })
  const refused = await listRefused(house, mostCounted)
  const [newest] = refused
  const facts = { waiting: waiting.length > 0, refused: refused.length, newest_refused: newest?.path ?? '' }
  return { key: 'imports', ...itemOf([...waiting.flat(), ...refusedWords(refused)]), facts }
}

function itemOf(words: Words[]): Item {
  if (words.length === 0) return { status: 'ok', text: 'Nothing waits in the import folder.', fix: null }
  const [texts, fixes] = [words.map(({ text }) => text), words.map(({ fix }) => fix)]
  return { status: 'warn', text: texts.join(' '), fix: fixes.join(' ') }
}

function waitingWords(kind: 'folder' | 'bucket', facts: Record<string, string | number>): Words[] {
  const place = kind === 'folder' ? 'import folder' : 'import prefix of the bucket'
  const of = (name: string) => String(facts[name] ?? '')
  const { unreadable = 0 } = facts
  const found: Array<[boolean, string, string]> = [
    [facts.is_broken === 1, `The ${place} cannot be looked at.`, 'See that it is there and can be read.'],
    [
      of('unknown') !== '',
      `In the ${place}, no event has the slug ${of('unknown')}.`,
      'Name each folder by the slug of its event.',
    ],
    [
      of('stray') !== '',
      `In the ${place}, nothing is taken of what stands beside the folders: ${of('stray')}.`,
      'Put files into the folder of their event; links are not followed.',
    ],
    [
      of('archived') !== '',
      `Files wait in the ${place} of archived events: ${of('archived')}.`,
      'Restore the event, or take the files away.',
    ],
    [
      of('full') !== '',
      `Files wait in the ${place} of events that take no more photos: ${of('full')}.`,
      'Raise the photo cap of the event.',
    ],
    [
      Number(unreadable) > 0,
      `${unreadable} of what waits in the ${place} cannot be read.`,
      'Give the user of the service the right to read it.',
    ],
  ]
  return found.filter(([isSo]) => isSo).map(([, text, fix]) => ({ text, fix }))
}

function refusedWords(refused: Array<{ path: string; problem: string | null }>): Words[] {
  const [newest] = refused
  if (!newest) return []
  const count = refused.length
  const were = count === 1 ? '1 file was' : `${count === mostCounted ? 'At least ' : ''}${count} files were`
  const text = `${were} refused by the import in the last 7 days, the last one ${newest.path}: ${newest.problem}`
  return [{ text, fix: 'Refused files lie in .refused (in a bucket: refused/), each beside a text that says why.' }]
}
