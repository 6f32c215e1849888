export type ServerSentEvent = { id: string | null; type: string; data: string }

/** Returns a parser that returns the events that each chunk completes. Ignores comments and `retry`. */
export function createEventParser(): (chunk: string) => ServerSentEvent[] {
  let rest = ''
  let event: ServerSentEvent = { id: null, type: 'message', data: '' }
  let hasData = false
  return (chunk) => {
    const lines = (rest + chunk).split(/\r\n|\n/)
    rest = lines.pop() ?? ''
    const complete: ServerSentEvent[] = []
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
