import type { Translate } from './catalogs.ts'

/** Returns for example "3 extra × 12 €". `t` is of a module with these messages. */
export function formatExtras(t: Translate<'extra' | 'extraPrice'>, count: number, price: string): string {
  const extra = t('extra', { count })
  return price === '' ? extra : t('extraPrice', { extra, price })
}
