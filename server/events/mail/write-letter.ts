import { getBlockName, type LetterName, type LetterText, splitParagraphs } from '../../../contract/instance/letters.ts'
import type { Language } from '../../../contract/languages.ts'
import type { TranslateCatalog } from '../../../locales/catalogs.ts'
import { fillPlaceholders } from '../../../locales/translate.ts'
import type { Database } from '../../platform/database/tables.ts'
import {
  type Block,
  type Letter,
  type LetterColors,
  type LetterLogo,
  toSingleLine,
} from '../../platform/mail/letter.ts'
import { getTranslator } from '../../platform/text/messages.ts'
import { getLetterText } from './letter-texts.ts'

/** What all letters have in common. */
export type Letterhead = {
  language: Language
  studioName: string
  origin: string
  logo: LetterLogo | null
  colors: LetterColors | null
}

/** What stands for the variables of a text. A block without content is left out. */
export type LetterParts = {
  values: Record<string, string | number>
  blocks: Record<string, Block[]>
}

type LetterSource = LetterParts & { letter: LetterName; eventId: number | null; recipient: string | null }

export const translateMail = ({ language }: Letterhead): TranslateCatalog<'mails'> => getTranslator('mails', language).t

export const formatMailDay = ({ language }: Letterhead, epochMs: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(epochMs)

/** Stands for the studio that has no name yet. */
const productName = 'Proofroom'

/** `recipient`: the name in the greeting; null if it is not known. */
export const getCommonParts = (head: Letterhead, recipient: string | null): LetterParts => {
  const t = translateMail(head)
  return {
    values: {
      greeting: recipient ? t('greetingTo', { name: recipient }) : t('greeting'),
      name: recipient ?? '',
      studio: head.studioName || productName,
    },
    blocks: { signature: head.studioName ? [{ paragraph: [t('regards'), head.studioName] }] : [] },
  }
}

export async function writeLetter(
  db: Database,
  head: Letterhead,
  { letter, eventId, recipient, values, blocks }: LetterSource,
): Promise<Letter> {
  const text = await getLetterText(db, { letter, language: head.language, eventId })
  const common = getCommonParts(head, recipient)
  return fillLetter(head, text, {
    values: { ...common.values, ...values },
    blocks: { ...common.blocks, ...blocks },
  })
}

/** Values cannot add paragraphs or lines, and variables in them are not replaced. */
export function fillLetter(head: Letterhead, { subject, text }: LetterText, { values, blocks }: LetterParts): Letter {
  const lines = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? toSingleLine(value) : value]),
  )
  const fill = (template: string) => fillPlaceholders(head.language, template, lines)
  return {
    locale: head.language,
    subject: fill(subject),
    blocks: splitParagraphs(text).flatMap((paragraph) => {
      const block = blocks[getBlockName(paragraph) ?? '']
      return block ?? [{ paragraph: paragraph.split('\n').map(fill) }]
    }),
    logo: head.logo,
    colors: head.colors,
  }
}
