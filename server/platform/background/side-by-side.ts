/**
 * Runs `work` for each item, at most `limit` at once, and returns the results in item order. After a failure it starts
 * nothing more and throws once the running work has ended.
 */
export async function sideBySide<Item, Answer>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const rest = items.entries()
  let isFailing = false

  async function run(): Promise<void> {
    for (const [index, item] of rest) {
      if (isFailing) return
      try {
        answers[index] = await work(item)
      } catch (error) {
        isFailing = true
        throw error
      }
    }
  }

  const ends = await Promise.allSettled(Array.from({ length: limit }, run))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return answers
}
