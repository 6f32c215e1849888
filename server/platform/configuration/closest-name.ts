const maxEdits = 2

/** Returns the known name with the fewest edits from the given one, two at most, or null. */
export function findClosestName(name: string, known: readonly string[]): string | null {
  let closest: string | null = null
  let fewest = maxEdits + 1
  for (const one of known) {
    if (Math.abs(one.length - name.length) >= fewest) continue
    const edits = countEdits(name, one)
    if (edits < fewest) [closest, fewest] = [one, edits]
  }
  return closest
}

/** The Levenshtein distance. */
function countEdits(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}
