import type { HealthItem } from '../../contract/instance/health.ts'
import type { MessageKey } from '../../locales/catalogs.ts'
import { listRejected } from '../receiving/imports/import-rows.ts'
import { importWarningKey } from '../receiving/imports/import-source.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type CheckResult, type HealthFormatter, ok } from './health-formatter.ts'

/** Limits the time of the query. */
const maxCounted = 1000

type CheckMessage = { text: string; fix: string }

/** Reports import files that wait and import files that were rejected. */
export async function checkImports(ctx: AppContext, formatter: HealthFormatter): Promise<HealthItem> {
  const waiting = (['folder', 'bucket'] as const).flatMap((kind) => {
    const warning = ctx.warnings.find(importWarningKey({ kind }))
    return warning ? describeWaiting(formatter, kind, warning.facts) : []
  })
  const refused = await listRejected(ctx, maxCounted)
  const [newest] = refused
  const facts = { waiting: waiting.length > 0, refused: refused.length, newest_refused: newest?.path ?? '' }
  return { key: 'imports', ...combineMessages(formatter, [...waiting, ...describeRejected(formatter, refused)]), facts }
}

function combineMessages({ t }: HealthFormatter, checkMessages: CheckMessage[]): CheckResult {
  if (checkMessages.length === 0) return ok(t('importsNone'))
  const [messages, fixes] = [checkMessages.map(({ text }) => text), checkMessages.map(({ fix }) => fix)]
  return { status: 'warn', text: messages.join(' '), fix: fixes.join(' ') }
}

/** The fact, its message for each kind of source, and the message with the fix. */
const found = [
  ['unknown', { folder: 'folderUnknown', bucket: 'bucketUnknown' }, 'importUnknownFix'],
  ['stray', { folder: 'folderStray', bucket: 'bucketStray' }, 'importStrayFix'],
  ['archived', { folder: 'folderArchived', bucket: 'bucketArchived' }, 'importArchivedFix'],
  ['full', { folder: 'folderFull', bucket: 'bucketFull' }, 'importFullFix'],
] as const satisfies ReadonlyArray<
  readonly [string, Record<'folder' | 'bucket', MessageKey<'health'>>, MessageKey<'health'>]
>

function describeWaiting(
  { t }: HealthFormatter,
  kind: 'folder' | 'bucket',
  facts: Record<string, string | number>,
): CheckMessage[] {
  const checkMessages = found.flatMap(([fact, keys, fix]) => {
    const names = String(facts[fact] ?? '')
    return names === '' ? [] : [{ text: t(keys[kind], { names }), fix: t(fix) }]
  })
  const unreadable = Number(facts.unreadable ?? 0)
  return [
    ...(facts.is_broken === 1 ? [{ text: t(`${kind}Broken`), fix: t('importBrokenFix') }] : []),
    ...checkMessages,
    ...(unreadable > 0 ? [{ text: t(`${kind}Unreadable`, { count: unreadable }), fix: t('importUnreadableFix') }] : []),
  ]
}

function describeRejected(
  { t }: HealthFormatter,
  refused: Array<{ path: string; problem: string | null }>,
): CheckMessage[] {
  const [newest] = refused
  if (!newest) return []
  const count = refused.length
  const key = count === maxCounted ? 'importsRefusedAtLeast' : 'importsRefused'
  const text = t(key, { count, path: newest.path, problem: newest.problem ?? '' })
  return [{ text, fix: t('importsRefusedFix') }]
}
