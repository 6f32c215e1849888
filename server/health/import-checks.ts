import type { HealthItem } from '../../contract/health.ts'
import type { HealthTextKey } from '../../texts/health-texts.ts'
import { listRefused } from '../imports/import-rows.ts'
import { warningOf } from '../imports/import-source.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { HealthVoice } from './health-voice.ts'

/** Limits the time of the query. */
const maxCounted = 1000

type Item = Pick<HealthItem, 'status' | 'text' | 'fix'>
type Words = { text: string; fix: string }

/** Reports waiting files of this node and rejected files of the whole instance. */
export async function checkImports(ctx: AppContext, voice: HealthVoice): Promise<HealthItem> {
  const waiting = (['folder', 'bucket'] as const).flatMap((kind) => {
    const warning = ctx.warnings.find(warningOf({ kind }))
    return warning ? waitingWords(voice, kind, warning.facts) : []
  })
  const refused = await listRefused(ctx, maxCounted)
  const [newest] = refused
  const facts = { waiting: waiting.length > 0, refused: refused.length, newest_refused: newest?.path ?? '' }
  return { key: 'imports', ...itemOf(voice, [...waiting, ...refusedWords(voice, refused)]), facts }
}

function itemOf({ say }: HealthVoice, words: Words[]): Item {
  if (words.length === 0) return { status: 'ok', text: say('importsNone'), fix: null }
  const [texts, fixes] = [words.map(({ text }) => text), words.map(({ fix }) => fix)]
  return { status: 'warn', text: texts.join(' '), fix: fixes.join(' ') }
}

/** The fact, its message for each kind of source, and the message with the fix. */
const found = [
  ['unknown', { folder: 'folderUnknown', bucket: 'bucketUnknown' }, 'importUnknownFix'],
  ['stray', { folder: 'folderStray', bucket: 'bucketStray' }, 'importStrayFix'],
  ['archived', { folder: 'folderArchived', bucket: 'bucketArchived' }, 'importArchivedFix'],
  ['full', { folder: 'folderFull', bucket: 'bucketFull' }, 'importFullFix'],
] as const satisfies ReadonlyArray<readonly [string, Record<'folder' | 'bucket', HealthTextKey>, HealthTextKey]>

function waitingWords(
  { say }: HealthVoice,
  kind: 'folder' | 'bucket',
  facts: Record<string, string | number>,
): Words[] {
  const words = found.flatMap(([fact, keys, fix]) => {
    const names = String(facts[fact] ?? '')
    return names === '' ? [] : [{ text: say(keys[kind], { names }), fix: say(fix) }]
  })
  const unreadable = Number(facts.unreadable ?? 0)
  return [
    ...(facts.is_broken === 1 ? [{ text: say(`${kind}Broken`), fix: say('importBrokenFix') }] : []),
    ...words,
    ...(unreadable > 0
      ? [{ text: say(`${kind}Unreadable`, { count: unreadable }), fix: say('importUnreadableFix') }]
      : []),
  ]
}

function refusedWords({ say }: HealthVoice, refused: Array<{ path: string; problem: string | null }>): Words[] {
  const [newest] = refused
  if (!newest) return []
  const count = refused.length
  const key = count === maxCounted ? 'importsRefusedAtLeast' : 'importsRefused'
  const text = say(key, { count, path: newest.path, problem: newest.problem ?? '' })
  return [{ text, fix: say('importsRefusedFix') }]
}
