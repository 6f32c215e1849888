import { numberUnnamedGuests } from '../../../contract/gallery/guest-numbers.ts'
import type { Language } from '../../../contract/languages.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { getTranslator } from '../../platform/text/messages.ts'
import { listAllGuests, listedGuest } from './list-guests.ts'

/** Names for tables. Guests without a name have the same numbers as in the admin app. */
export async function loadGuestNames(ctx: PlatformContext, eventId: number, language: Language) {
  const { t } = getTranslator('exports', language)
  const active = await listAllGuests(ctx, eventId)
  const guests = active.sort((a, b) => a.firstSeenAt - b.firstSeenAt).map(listedGuest)
  const numbers = numberUnnamedGuests(guests)
  const names = new Map(guests.map(({ id, name }) => [id, name ?? t('guestNumber', { number: numbers.get(id) ?? 0 })]))
  return { ids: guests.map(({ id }) => id), of: (id: string) => names.get(id) ?? t('unknownGuest') }
}
