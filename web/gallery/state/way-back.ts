/**
 * Each layer above the page (dialog, menu, selection mode, slideshow) has its own history entry: one step back closes
 * only the newest layer, and the URL stays. Each query in the URL is an entry too.
 *
 * The state of the page is authoritative, and is written into the entry that a step back leads to. Closing a layer by
 * hand removes its entry. An entry of a layer that is reached by going forward or by a reload is skipped.
 */
type Facts = {
  /** The viewer was opened by this entry or an earlier one. Closing it goes back. */
  isPhoto: boolean
  /** See `navigateToQuery`. */
  isBitByBit: boolean
}
type Step = Facts & { at: number }
type Layer = { close: () => void; hasStep: boolean }

/** Delay before going back: a tap that closes a menu may open something else, which then reuses the entry. */
const graceMs = 100
/** If the browser has not gone back by then, it will not. */
const patienceMs = 3_000

const layers: Layer[] = []
const followers: Array<() => void> = []
const waiting: Array<() => void> = []
let isOnTheWay = false
let timer: ReturnType<typeof setTimeout> | undefined

let at = entry().at
/** The state that the page shows, and the index of its entry. The index exceeds `at` only for a moment. */
let here: Step
let address: string
readEntry()

export const currentFacts = (): Readonly<Facts> => here
export const currentAddress = (): URL => new URL(address)

export function onArrival(follow: () => void): void {
  followers.push(follow)
}

/** Runs the action when no navigation is pending. Going back is asynchronous. */
export function whenStill(action: () => void): void {
  if (isOnTheWay) waiting.push(action)
  else action()
}

/** Runs the action after the entries of closed layers are left. A reload before that would meet them again. */
export function whenLeft(action: () => void): void {
  go()
  whenStill(action)
}

/** Adds an entry. Call it inside `whenHistoryIdle`. Returns whether the browser accepted it. */
export function addStep(facts: Partial<Facts>, to = address): boolean {
  change(facts, to, here.at + 1)
  if (here.at < at) {
    leaveSoon()
    return true
  }
  if (write(here.at > at ? 'pushState' : 'replaceState')) return true
  here = { ...here, at }
  return false
}

export function changeStep(facts: Partial<Facts>, to = address): void {
  change(facts, to, here.at)
  if (here.at === at) write('replaceState')
}

/** Goes back one entry after a short delay. */
export function leaveStep(facts: Partial<Facts> = {}, to = address): void {
  change(facts, to, here.at - 1)
  leaveSoon()
}

/** Makes a step back call `close`. Returns a function to call when the layer is closed in another way. */
export function openLayer(close: () => void): () => void {
  const layer: Layer = { close, hasStep: false }
  layers.push(layer)
  whenStill(() => {
    layer.hasStep = addStep({})
  })
  return () => {
    const index = layers.indexOf(layer)
    if (index < 0) return
    layers.splice(index, 1)
    whenStill(() => layer.hasStep && leaveStep())
  }
}

addEventListener('popstate', () => {
  isOnTheWay = false
  clearTimeout(timer)
  const there = entry()
  at = there.at
  const stepsBack = here.at - at
  const top = layers.at(-1)
  if (stepsBack === 0) write('replaceState')
  else if (stepsBack === 1 && top) {
    layers.pop()
    here = { ...here, at }
    write('replaceState')
    top.close()
  } else if (stepsBack < 0 && there.layers > 0) go()
  else {
    readEntry()
    for (const layer of layers.splice(0).reverse()) layer.close()
    for (const follow of followers) follow()
  }
  goOn()
})

// After a reload or a return to the page, only the entries of its layers are left.
addEventListener('pageshow', goOn)

// A pending step back would cancel the navigation of a link.
addEventListener('click', ({ target, defaultPrevented }) => {
  const link = target instanceof Element && target.closest('a[href]:not([download], [target])')
  if (link && !defaultPrevented && !isOnTheWay) clearTimeout(timer)
})

/** The layers of the entry do not exist any more, so the page state belongs to the entry below them. */
function readEntry(): void {
  const { layers: gone, ...step } = entry()
  here = { ...step, at: step.at - gone }
  address = location.href
}

function entry(): Step & { layers: number } {
  return { at: 0, layers: 0, isPhoto: false, isBitByBit: false, ...history.state }
}

function change(facts: Partial<Facts>, to: string, number: number): void {
  here = { ...here, ...facts, at: number }
  address = new URL(to, address).href
}

/** Returns whether the entry was written. Browsers limit the number of changes, and some do so silently. */
function write(way: 'pushState' | 'replaceState'): boolean {
  try {
    history[way]({ ...here, layers: layers.length }, '', address)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
  at = entry().at
  return at === here.at
}

function leaveSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(go, graceMs)
}

function go(): void {
  if (isOnTheWay || here.at >= at) return
  isOnTheWay = true
  history.go(here.at - at)
  clearTimeout(timer)
  timer = setTimeout(() => {
    isOnTheWay = false
    here = { ...here, at }
    write('replaceState')
    goOn()
  }, patienceMs)
}

function goOn(): void {
  while (!isOnTheWay) {
    const action = waiting.shift()
    if (!action) break
    action()
  }
  if (!isOnTheWay && here.at < at) leaveSoon()
}
