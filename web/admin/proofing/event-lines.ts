export type SentEvent = { id: string | null; type: string; data: string }

/** Returns a parser that returns the events that each chunk completes. Ignores comments and `retry`. */
export function readEventLines(): (piece: string) => SentEvent[] {
  let rest = ''
  let event: SentEvent = { id: null, type: 'message', data: '' }
  let hasData = false
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n/)
    rest = lines.pop() ?? ''
    const complete: SentEvent[] = []
    for (const line of lines) {
      if (line === '') {
        if (hasData) complete.push(event)
        event = { id: null, type: 'message', data: '' }
        hasData = false
        continue
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (field === 'id') event.id = value
      if (field === 'event') event.type = value
      if (field === 'data') {
        event.data = hasData ? `${event.data}\n${value}` : value
        hasData = true
      }
    }
    return complete
  }
}
