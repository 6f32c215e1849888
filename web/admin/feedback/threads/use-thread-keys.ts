import { useEffect, useEffectEvent } from 'react'

/** The classes of what the keys find. */
export const threadClass = 'thread'
export const answerClass = 'thread-answer'
export const settleClass = 'thread-settle'

const ignoredTargets = 'input, textarea, select, [role="dialog"], [role="menu"]'

const listThreads = () => [...document.querySelectorAll<HTMLElement>(`.${threadClass}`)]

/** Returns the thread after this one, or else the one before it. */
export function findNeighbor(thread: HTMLElement | null): HTMLElement | undefined {
  const threads = listThreads()
  const index = thread ? threads.indexOf(thread) : -1
  return threads[index + 1] ?? threads[index - 1]
}

/** `J` and `K` move the focus between threads. `R`, Enter and `E` press a button of the thread with the focus. */
export function useThreadKeys(onHelp: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return
    if (target.closest(ignoredTargets)) return
    const threads = listThreads()
    const index = threads.findIndex((one) => one.contains(target))
    const press = (name: string) => threads[index]?.querySelector<HTMLElement>(`.${name}`)?.click()
    const actions: Record<string, () => void> = {
      j: () => threads[Math.min(index + 1, threads.length - 1)]?.focus(),
      k: () => threads[Math.max(index - 1, 0)]?.focus(),
      r: () => press(answerClass),
      e: () => press(settleClass),
      '?': onHelp,
      ...(target === threads[index] && { Enter: () => press(answerClass) }),
    }
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!action) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
