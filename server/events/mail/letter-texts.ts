import type { Generated, Selectable } from 'kysely'
import {
  findLetterProblem,
  getLetterRules,
  type LetterName,
  type LetterRecord,
  type LetterText,
  letterNames,
} from '../../../contract/instance/letters.ts'
import { type Language, languages } from '../../../contract/languages.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { getTranslator } from '../../platform/text/messages.ts'
import { getChangeableEvent } from '../get-changeable-event.ts'

/** Texts that differ from the catalogs. At most one for each event (null: the instance), letter and language. */
export type LetterTextTable = {
  id: Generated<number>
  event_id: number | null
  letter: LetterName
  language: Language
  subject: string
  text: string
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    letter_texts: LetterTextTable
  }
}

/** `eventId`: null for the instance. */
export type LetterKey = { letter: LetterName; language: Language; eventId: number | null }

/** Returns the text of the event, or else that of the instance, or else that of the catalog. */
export async function getLetterText(db: Database, key: LetterKey): Promise<LetterText> {
  const { subject, text } = toRecord(key, await selectTexts(db, key).execute())
  return { subject, text }
}

export async function listLetters(db: Database, eventId: number | null): Promise<LetterRecord[]> {
  const rows = await selectTexts(db, { eventId }).execute()
  const letters = letterNames.filter((letter) => eventId === null || getLetterRules(letter).isOfEvents)
  return letters.flatMap((letter) => languages.map((language) => toRecord({ letter, language, eventId }, rows)))
}

/** Throws NOT_FOUND for a letter that events do not have. */
export async function getLetter(db: Database, key: LetterKey): Promise<LetterRecord> {
  if (key.eventId !== null && !getLetterRules(key.letter).isOfEvents) throw new AppError('NOT_FOUND')
  return toRecord(key, await selectTexts(db, key).execute())
}

/** Selects the texts of the instance, and those of the event. */
const selectTexts = (db: Database, { eventId, letter, language }: Pick<LetterKey, 'eventId'> & Partial<LetterKey>) =>
  db
    .selectFrom('letter_texts')
    .selectAll()
    .where((row) => row.or([row('event_id', 'is', null), row('event_id', '=', eventId)]))
    .$if(letter !== undefined, (texts) => texts.where('letter', '=', letter as LetterName))
    .$if(language !== undefined, (texts) => texts.where('language', '=', language as Language))

/** `rows`: of `selectTexts`. */
function toRecord(
  { letter, language, eventId }: LetterKey,
  rows: readonly Selectable<LetterTextTable>[],
): LetterRecord {
  const { variables, blocks, required } = getLetterRules(letter)
  const { messages } = getTranslator('mails', language)
  const find = (id: number | null): LetterText | undefined => {
    const row = rows.find((one) => one.event_id === id && one.letter === letter && one.language === language)
    return row && { subject: row.subject, text: row.text }
  }
  const catalog = { subject: String(messages[`${letter}_subject`]), text: String(messages[`${letter}_text`]) }
  const otherwise = eventId === null ? catalog : (find(null) ?? catalog)
  const own = find(eventId)
  const lists = { variables: [...variables], blocks: [...blocks], required: [...required] }
  return { letter, language, ...(own ?? otherwise), is_own: own !== undefined, default: otherwise, ...lists }
}

/** Stores a text, or removes it if `text` is null. Throws NOT_FOUND, EVENT_ARCHIVED and VALIDATION_ERROR. */
export async function changeLetter(
  { db }: PlatformContext,
  key: LetterKey,
  text: LetterText | null,
): Promise<LetterRecord> {
  const { letter, language, eventId } = key
  if (text) assertVariables(letter, text)
  await getLetter(db, key)
  await inTransaction(db, eventId === null ? 'work letters' : `event ${eventId}`, async (tx) => {
    if (eventId !== null) await getChangeableEvent(tx, eventId)
    await tx
      .deleteFrom('letter_texts')
      .where('letter', '=', letter)
      .where('language', '=', language)
      .where('event_id', eventId === null ? 'is' : '=', eventId)
      .execute()
    const row = { event_id: eventId, letter, language }
    if (text)
      await tx
        .insertInto('letter_texts')
        .values({ ...row, ...text })
        .execute()
  })
  return getLetter(db, key)
}

export async function copyLetters(tx: Tx, fromEventId: number, toEventId: number): Promise<void> {
  const texts = await tx
    .selectFrom('letter_texts')
    .select(['letter', 'language', 'subject', 'text'])
    .where('event_id', '=', fromEventId)
    .execute()
  for (const text of texts)
    await tx
      .insertInto('letter_texts')
      .values({ ...text, event_id: toEventId })
      .execute()
}

/** Throws VALIDATION_ERROR that names the variable. */
function assertVariables(letter: LetterName, text: LetterText): void {
  const problem = findLetterProblem(letter, text)
  if (!problem) return
  const { field, kind, variable, allowed } = problem
  const messages = {
    unknown: `cannot contain {${variable}}. It can contain ${allowed.map((name) => `{${name}}`).join(', ')}.`,
    inside: `{${variable}} must be a paragraph of its own, between blank lines.`,
    missing: `must contain {${variable}} as a paragraph of its own.`,
  }
  throw invalidField(field, messages[kind])
}
