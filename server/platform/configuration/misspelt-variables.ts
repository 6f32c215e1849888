import { type Variable, variables } from './variables.ts'

const names = Object.keys(variables)

/** The names of the variables that can also be read from the file that `<name>_FILE` names. */
export const secretNames: readonly string[] = Object.entries<Variable<unknown>>(variables)
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name)

const knownNames = new Set([...names, ...secretNames.map((name) => `${name}_FILE`)])

/**
 * Returns the variables of the environment that are not used, but whose names nearly equal one that Proofroom reads.
 */
export const findMisspeltVariables = (environment: Record<string, string | undefined>) =>
  Object.keys(environment)
    .filter((name) => !knownNames.has(name) && /^[A-Z0-9_]+$/i.test(name))
    .flatMap((name) => {
      const meant = [...knownNames].find((known) => isNearly(name.toUpperCase(), known))
      return meant === undefined ? [] : [{ name, meant }]
    })

/** Two edits for long names, one for short names; names with fewer than four characters have too many neighbors. */
function isNearly(name: string, known: string): boolean {
  const maxEdits = known.length >= 8 ? 2 : 1
  if (known.length < 4 || Math.abs(name.length - known.length) > maxEdits) return false
  return countEdits(name, known) <= maxEdits
}

/** Counts inserted, missing, different and exchanged neighboring characters. */
function countEdits(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const at = (rowsBack: number, column: number) => rows[i - rowsBack]?.[column] ?? Number.POSITIVE_INFINITY
      const isSame = a[i - 1] === b[j - 1]
      const isExchanged = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          at(1, j) + 1,
          (row[j - 1] ?? 0) + 1,
          at(1, j - 1) + (isSame ? 0 : 1),
          isExchanged ? at(2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
