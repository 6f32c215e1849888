/**
 * Returns whether a field contains what its browser cannot parse, such as half a date: its value would be empty.
 * Reports the first such field.
 */
export function reportBadInput(form: HTMLFormElement | null): boolean {
  const inputs = [...(form?.querySelectorAll('input') ?? [])]
  const field = inputs.find(({ willValidate, validity }) => willValidate && validity.badInput)
  if (!field) return false
  const details = field.closest('details')
  if (details) details.open = true
  field.reportValidity()
  return true
}
