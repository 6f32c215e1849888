import { translator } from '../../app/language.ts'
import type { GuestNames } from '../guest-names.ts'
import type { Thread } from './threads-query.ts'

const t = translator('threads')

export const nameOfAuthor = ({ by, author_name, guest_id }: Thread['messages'][number], names: GuestNames): string =>
  author_name ?? (by === 'guest' ? names.of(guest_id ?? '') : t('operator'))

export const hasUnnamedGuest = ({ guest_name, messages }: Thread): boolean =>
  guest_name === null || messages.some(({ by, author_name }) => by === 'guest' && author_name === null)
