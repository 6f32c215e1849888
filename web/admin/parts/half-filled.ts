/**
 * Whether a field holds what its browser cannot read, such as half a date: forms would take it for an empty one. The
 * first of them says so itself, also where it lies folded away.
 */
export function isHalfFilled(form: HTMLFormElement | null): boolean {
  const inputs = [...(form?.querySelectorAll('input') ?? [])]
  const field = inputs.find(({ willValidate, validity }) => willValidate && validity.badInput)
  if (!field) return false
  const details = field.closest('details')
  if (details) details.open = true
  field.reportValidity()
  return true
}
