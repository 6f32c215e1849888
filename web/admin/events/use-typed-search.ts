import { useEffect, useEffectEvent, useRef, useState } from 'react'

const searchDelayMs = 250

/** Returns the text of a search field. Calls `onSearch` with a delay after typing. */
export function useTypedSearch(search: string, onSearch: (search: string) => void) {
  const [typed, setTyped] = useState(search)
  const sent = useRef(search)
  const sendSearch = useEffectEvent(onSearch)
  useEffect(() => {
    // The address changed without this field.
    if (search !== sent.current) setTyped(search)
    sent.current = search
  }, [search])
  useEffect(() => {
    if (typed.trim() === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed.trim()
      sendSearch(typed.trim())
    }, searchDelayMs)
    return () => clearTimeout(timer)
  }, [typed])
  return { value: typed, onChange: ({ target }: { target: { value: string } }) => setTyped(target.value) }
}
