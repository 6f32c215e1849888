import { useEffect, useEffectEvent, useRef, useState } from 'react'

const searchDelayMs = 250

/**
 * Returns the props of a search field. Calls `onSearch` with the trimmed text 250 milliseconds after the last input, if
 * the trimmed text has changed.
 */
export function useTypedSearch(search: string, onSearch: (search: string) => void) {
  const [typed, setTyped] = useState(search)
  const sent = useRef(search)
  const sendSearch = useEffectEvent(onSearch)
  useEffect(() => {
    // The search changed elsewhere, such as by the Back button.
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
