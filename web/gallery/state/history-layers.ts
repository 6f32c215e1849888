// Each layer above the page (dialog, menu, selection mode, slideshow) has a history entry, so that a step back closes
// the layer. After a step forward or a reload that leads to the entry of a closed layer, the page goes back again.

type EntryFacts = {
  /** True if opening the viewer added a history entry. Closing the viewer then goes back. */
  isPhoto: boolean
  /** The next change of the query may replace this entry (see navigate-to-query.ts). */
  isBitByBit: boolean
  /** The scroll position in pixels where the next entry was added. */
  top: number
}
type HistoryEntry = EntryFacts & { at: number }
type Layer = { close: () => void; hasEntry: boolean }

/** Delay before going back: a tap that closes a menu may open something else, which then reuses the entry. */
const closeDelayMs = 100
/** A step back without a `popstate` event in this time has failed. */
const timeoutMs = 3_000

const layers: Layer[] = []
const listeners: Array<() => void> = []
const pendingActions: Array<() => void> = []
let isNavigating = false
let timer: ReturnType<typeof setTimeout> | undefined

let at = getCurrentEntry().at
/** The entry that the page shows. Until a step back is done, its index differs from `at`, where the browser is. */
let pageEntry: HistoryEntry
let address: string
syncWithEntry()

export const getEntryFacts = (): Readonly<EntryFacts> => pageEntry
export const getPageUrl = (): URL => new URL(address)

export function onHistoryChange(listener: () => void): void {
  listeners.push(listener)
}

/** Runs the action when no step back is in progress, because the browser goes back asynchronously. */
export function whenHistoryIdle(action: () => void): void {
  if (isNavigating) pendingActions.push(action)
  else action()
}

/** Runs the action after the browser has left the entries of closed layers. A reload must not happen before that. */
export function whenLayersLeft(action: () => void): void {
  go()
  whenHistoryIdle(action)
}

/** Call it inside `whenHistoryIdle`. Returns whether the browser accepted the new entry. */
export function addEntry(facts: Partial<EntryFacts>, to = address): boolean {
  setPageEntry(facts, to, pageEntry.at + 1)
  if (pageEntry.at < at) {
    goBackSoon()
    return true
  }
  if (writeEntry(pageEntry.at > at ? 'pushState' : 'replaceState')) return true
  pageEntry = { ...pageEntry, at }
  return false
}

export function updateEntry(facts: Partial<EntryFacts>, to = address): void {
  setPageEntry(facts, to, pageEntry.at)
  if (pageEntry.at === at) writeEntry('replaceState')
}

/** Goes back one entry after a short delay. */
export function removeEntry(facts: Partial<EntryFacts> = {}, to = address): void {
  setPageEntry(facts, to, pageEntry.at - 1)
  goBackSoon()
}

/** Makes a step back call `close`. Returns a function to call when the layer is closed in another way. */
export function openLayer(close: () => void): () => void {
  const layer: Layer = { close, hasEntry: false }
  layers.push(layer)
  whenHistoryIdle(() => {
    layer.hasEntry = addEntry({})
  })
  return () => {
    const index = layers.indexOf(layer)
    if (index < 0) return
    layers.splice(index, 1)
    whenHistoryIdle(() => layer.hasEntry && removeEntry())
  }
}

addEventListener('popstate', () => {
  isNavigating = false
  clearTimeout(timer)
  const there = getCurrentEntry()
  at = there.at
  const entriesBack = pageEntry.at - at
  const top = layers.at(-1)
  if (entriesBack === 0) writeEntry('replaceState')
  else if (entriesBack === 1 && top) {
    layers.pop()
    pageEntry = { ...pageEntry, at }
    writeEntry('replaceState')
    top.close()
  } else if (entriesBack < 0 && there.layers > 0) go()
  else {
    syncWithEntry()
    for (const layer of layers.splice(0).reverse()) layer.close()
    for (const listener of listeners) listener()
  }
  runPendingActions()
})

// After a reload or a return to the page, goes back from entries of layers that no longer exist.
addEventListener('pageshow', runPendingActions)

// A pending step back would cancel the navigation of a link.
addEventListener('click', ({ target, defaultPrevented }) => {
  const link = target instanceof Element && target.closest('a[href]:not([download], [target])')
  if (link && !defaultPrevented && !isNavigating) clearTimeout(timer)
})

/** Takes the page state from the current entry. Subtracts the entries of its layers, which no longer exist. */
function syncWithEntry(): void {
  const { layers: gone, ...step } = getCurrentEntry()
  pageEntry = { ...step, at: step.at - gone }
  address = location.href
}

function getCurrentEntry(): HistoryEntry & { layers: number } {
  return { at: 0, layers: 0, isPhoto: false, isBitByBit: false, top: 0, ...history.state }
}

function setPageEntry(facts: Partial<EntryFacts>, to: string, number: number): void {
  pageEntry = { ...pageEntry, ...facts, at: number }
  address = new URL(to, address).href
}

/** Returns whether the entry was written. Browsers limit frequent changes: some throw, others ignore the call. */
function writeEntry(method: 'pushState' | 'replaceState'): boolean {
  try {
    history[method]({ ...pageEntry, layers: layers.length }, '', address)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
  at = getCurrentEntry().at
  return at === pageEntry.at
}

function goBackSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(go, closeDelayMs)
}

function go(): void {
  if (isNavigating || pageEntry.at >= at) return
  isNavigating = true
  history.go(pageEntry.at - at)
  clearTimeout(timer)
  timer = setTimeout(() => {
    isNavigating = false
    pageEntry = { ...pageEntry, at }
    writeEntry('replaceState')
    runPendingActions()
  }, timeoutMs)
}

function runPendingActions(): void {
  while (!isNavigating) {
    const action = pendingActions.shift()
    if (!action) break
    action()
  }
  if (!isNavigating && pageEntry.at < at) goBackSoon()
}
