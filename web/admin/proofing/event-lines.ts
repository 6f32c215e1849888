/** One server-sent event. */
export type SentEvent = { id: string | null; type: string; data: string }

/**
 * Reads server-sent events out of a text that comes in pieces: what it answers for a piece are the events that it
 * completes. Comments and `retry` are passed over.
 */
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
