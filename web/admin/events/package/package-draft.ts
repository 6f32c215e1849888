import type { PackagePreset } from '../../../../contract/gallery/rounds.ts'

/** What both a preset and the package of an event have. */
export type PackageTerms = Omit<PackagePreset, 'name' | 'event_type'>

/** `PackageTerms` as typed into a form. */
export type PackageDraft = Record<Exclude<keyof PackageTerms, 'locks_on_submission'>, string> &
  Pick<PackageTerms, 'locks_on_submission'>

export const emptyPackageDraft: PackageDraft = {
  purpose: '',
  included: '',
  minimum: '',
  maximum: '',
  extra_text: '',
  locks_on_submission: true,
}

export const createPackageDraft = (terms: PackageTerms): PackageDraft => ({
  purpose: terms.purpose,
  included: String(terms.included),
  minimum: terms.minimum === 0 ? '' : String(terms.minimum),
  maximum: terms.maximum === null ? '' : String(terms.maximum),
  extra_text: terms.extra_text,
  locks_on_submission: terms.locks_on_submission,
})

export const isPackageComplete = ({ purpose, included }: PackageDraft): boolean =>
  purpose.trim() !== '' && included.trim() !== ''

/** An empty minimum is 0, and an empty maximum no limit. */
export const readPackageDraft = (draft: PackageDraft): PackageTerms => ({
  ...draft,
  purpose: draft.purpose.trim(),
  included: Number(draft.included),
  minimum: Number(draft.minimum),
  maximum: readMaximum(draft.maximum),
  extra_text: draft.extra_text.trim(),
})

/** Returns the preset to begin with, if the event type has exactly one. */
export function findOnlyPreset(presets: readonly PackagePreset[], eventType: string): PackagePreset | null {
  const [first, ...others] = presets.filter(({ event_type }) => event_type === eventType)
  return first && others.length === 0 ? first : null
}

export const readMaximum = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed))

/** Puts the presets of the event type first, then those of no type. */
export const proposePresets = (presets: readonly PackagePreset[], eventType: string): PackagePreset[] => {
  const rank = ({ event_type }: PackagePreset) => (event_type === eventType ? 0 : event_type ? 2 : 1)
  return presets.toSorted((a, b) => rank(a) - rank(b))
}
