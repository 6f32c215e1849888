import { type Static, Type } from 'typebox'
import { languages } from '../languages.ts'
import { NotBlank, OneOf } from '../shapes.ts'

type LetterRules = {
  /** What a text can contain in braces. `greeting` is for example "Hello Ana,". */
  variables: readonly string[]
  /** Variables that are a paragraph of their own, such as a button. Some are empty, such as `password` for an open gallery. */
  blocks: readonly string[]
  /** Blocks without which the mail has no use. */
  required: readonly string[]
  /** Whether an event can have a text of its own. */
  isOfEvents: boolean
}

const ofCustomers = { variables: ['greeting', 'name', 'event', 'studio'], isOfEvents: true } as const
const ofOperators = { variables: ['greeting', 'event'], required: [], isOfEvents: false } as const
const ofAccounts = {
  variables: ['greeting', 'username', 'studio'],
  blocks: ['link', 'signature'],
  required: ['link'],
  isOfEvents: false,
} as const

/** The mails whose text can be changed. */
export const letterRules = {
  gallery_created: { ...ofCustomers, blocks: ['link', 'password', 'expiry', 'signature'], required: ['link'] },
  expiry_warning: {
    ...ofCustomers,
    variables: [...ofCustomers.variables, 'date'],
    blocks: ['link', 'signature'],
    required: [],
  },
  archive_notice: { ...ofCustomers, blocks: ['signature'], required: [] },
  expiry_warning_operator: { ...ofOperators, variables: [...ofOperators.variables, 'date'], blocks: ['link'] },
  archive_notice_operator: { ...ofOperators, blocks: [] },
  selection_submitted: {
    ...ofOperators,
    variables: [...ofOperators.variables, 'guest', 'number', 'photos'],
    blocks: ['round', 'message', 'difference', 'files', 'link'],
  },
  reopening_asked: {
    ...ofOperators,
    variables: [...ofOperators.variables, 'guest', 'number'],
    blocks: ['message', 'link'],
  },
  selection_sent: {
    ...ofCustomers,
    blocks: ['round', 'link', 'subscription', 'signature'],
    required: ['subscription'],
  },
  selection_reopened: {
    ...ofCustomers,
    blocks: ['message', 'numbers', 'link', 'subscription', 'signature'],
    required: ['message', 'subscription'],
  },
  selection_reminder: {
    ...ofCustomers,
    variables: [...ofCustomers.variables, 'photos'],
    blocks: ['numbers', 'link', 'subscription', 'signature'],
    required: ['link', 'subscription'],
  },
  thread_asked: {
    ...ofOperators,
    blocks: ['requests', 'link', 'subscription'],
    required: ['requests', 'subscription'],
  },
  thread_answered: {
    ...ofCustomers,
    blocks: ['requests', 'link', 'subscription', 'signature'],
    required: ['requests', 'subscription'],
  },
  first_look_asked: {
    ...ofCustomers,
    blocks: ['subscription', 'signature'],
    required: ['subscription'],
  },
  first_look_complete: {
    ...ofCustomers,
    blocks: ['link', 'subscription', 'signature'],
    required: ['link', 'subscription'],
  },
  account_invite: ofAccounts,
  password_reset: ofAccounts,
} as const satisfies Record<string, LetterRules>

export type LetterName = keyof typeof letterRules

export const letterNames = Object.keys(letterRules) as LetterName[]

export const getLetterRules = (letter: LetterName): LetterRules => letterRules[letter]

const LetterTextFields = {
  subject: NotBlank(200),
  text: NotBlank(5000, { description: 'Paragraphs, separated by blank lines, with variables such as `{event}`' }),
}

export const LetterTextBody = Type.Object(LetterTextFields, { title: 'LetterText', additionalProperties: false })
export type LetterText = Static<typeof LetterTextBody>

export const LetterRecord = Type.Object(
  {
    letter: OneOf(letterNames),
    language: OneOf(languages),
    ...LetterTextFields,
    is_own: Type.Boolean({ description: 'Whether the text was changed here' }),
    default: Type.Object(LetterTextFields, { description: 'The text without a change here' }),
    variables: Type.Array(Type.String(), { description: 'What can stand in braces in the subject and the text' }),
    blocks: Type.Array(Type.String(), { description: 'What can stand in braces as a paragraph of its own' }),
    required: Type.Array(Type.String(), { description: 'Those of `blocks` that the text must contain' }),
  },
  { title: 'Letter' },
)
export type LetterRecord = Static<typeof LetterRecord>

export const LetterList = Type.Object({ letters: Type.Array(LetterRecord) }, { title: 'LetterList' })

export type LetterProblem = {
  field: 'subject' | 'text'
  /** `inside`: a block that is part of a paragraph. */
  kind: 'unknown' | 'inside' | 'missing'
  variable: string
  allowed: readonly string[]
}

export function findLetterProblem(letter: LetterName, { subject, text }: LetterText): LetterProblem | null {
  const { variables, blocks, required } = getLetterRules(letter)
  for (const [field, value, allowed] of [
    ['subject', subject, variables],
    ['text', text, [...variables, ...blocks]],
  ] as const) {
    const unknown = listVariables(value).find((name) => !allowed.includes(name))
    if (unknown !== undefined) return { field, kind: 'unknown', variable: unknown, allowed }
  }
  const paragraphs = splitParagraphs(text)
  const isAlone = (name: string) => paragraphs.some((one) => getBlockName(one) === name)
  const inside = blocks.find((name) =>
    paragraphs.some((one) => one.includes(`{${name}}`) && getBlockName(one) !== name),
  )
  if (inside) return { field: 'text', kind: 'inside', variable: inside, allowed: blocks }
  const missing = required.find((name) => !isAlone(name))
  return missing ? { field: 'text', kind: 'missing', variable: missing, allowed: blocks } : null
}

const listVariables = (text: string): string[] => [...text.matchAll(/\{([^{}\n]*)\}/g)].map(([, name = '']) => name)

export const splitParagraphs = (text: string): string[] =>
  text
    .split(/\n[^\S\n]*\n\s*/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** Returns the name of the variable that a paragraph consists of, or null. */
export const getBlockName = (paragraph: string): string | null => /^\{(\w+)\}$/.exec(paragraph)?.[1] ?? null
