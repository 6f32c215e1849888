/** The distance of photos that were placed together. At least 30 photos can be put between two of them one by one. */
export const positionGap = 2 ** 32

/**
 * Returns `count` rising positions between two positions, or null if there is no room. At an end of the list (null),
 * the positions have the usual distance.
 */
export function divideGap(
  { after, before }: { after: number | null; before: number | null },
  count: number,
): number[] | null {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const positions = numbers.map((number) => {
    if (after !== null && before !== null) return after + Math.floor((before - after) * (number / (count + 1)))
    if (before !== null) return before - (count + 1 - number) * positionGap
    return (after ?? 0) + number * positionGap
  })
  const bounded = [after, ...positions, before].filter((position) => position !== null)
  const isRising = bounded.every((position, index) => index === 0 || position > (bounded[index - 1] ?? 0))
  return isRising && positions.every(Number.isSafeInteger) ? positions : null
}
