import { invalidField } from '../platform/errors/app-error.ts'

/** Returns the text without surrounding whitespace. Throws VALIDATION_ERROR at `path`. */
export function parseGuestText(text: string, path: string, maxLength: number): string {
  const trimmed = text.trim()
  if (!/[^\s\p{C}]/u.test(trimmed)) throw invalidField(path, 'is required')
  if ([...trimmed].length > maxLength) throw invalidField(path, `must have at most ${maxLength} characters`)
  return trimmed
}
