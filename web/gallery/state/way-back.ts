/**
 * The way back. Whatever lies on top of the page (a dialog, a menu, selecting, the slideshow) is a layer, and has an entry
 * of the history for itself: one step back takes the newest layer away, and nothing else; the address stays as it is. What
 * is asked for in the address is an entry as well: one step back undoes it, once nothing lies on top of it any more.
 *
 * It is the number of entries that counts: what the page shows is the truth, and is written into the entry where a step
 * back has led. A layer closed by hand gives its entry back; one that history comes to again, by going forward or by a
 * reload, is not opened anew but passed over.
 */
type Facts = {
  /** The viewer was opened by this step, or one below it: closing it goes back. */
  isPhoto: boolean
  /** See `askInAddress`. */
  isBitByBit: boolean
}
type Step = Facts & { at: number }
type Layer = { close: () => void; hasStep: boolean }

/** The same touch that closes a menu may open something else: it takes the entry over, and history stays where it is. */
const graceMs = 100
/** A browser that has not gone back by then will not. */
const patienceMs = 3_000

const layers: Layer[] = []
const followers: Array<() => void> = []
const waiting: Array<() => void> = []
let isOnTheWay = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Number of the entry that the browser stands at. */
let at = entry().at
/** What the page shows, and the number of the entry where that belongs: not beyond `at` but for a moment. */
let here: Step
let address: string
readEntry()

export const currentFacts = (): Readonly<Facts> => here
export const currentAddress = (): URL => new URL(address)

/** Calls whenever history has led to another address. */
export function onArrival(follow: () => void): void {
  followers.push(follow)
}

/** Going back takes its time, and only then there is somewhere to go on from: an action that changes the history waits. */
export function whenStill(action: () => void): void {
  if (isOnTheWay) waiting.push(action)
  else action()
}

/** As soon as history has left what was closed: what loads the page anew would meet it else. */
export function whenLeft(action: () => void): void {
  go()
  whenStill(action)
}

/** One step more, to be called when history is still. Answers whether the browser took it. */
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

/** Another address or other facts in the same step. */
export function changeStep(facts: Partial<Facts>, to = address): void {
  change(facts, to, here.at)
  if (here.at === at) write('replaceState')
}

/** One step less, which is left soon. */
export function leaveStep(facts: Partial<Facts> = {}, to = address): void {
  change(facts, to, here.at - 1)
  leaveSoon()
}

/**
 * From now on a step back calls `close`. Answers what is to be called when it is closed otherwise; after that, or a step
 * back, it does nothing.
 */
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

// Of a page that was loaded anew, or has been come back to, no layer is left but its entries.
addEventListener('pageshow', goOn)

// A link that is followed meanwhile would be held up.
addEventListener('click', ({ target, defaultPrevented }) => {
  const link = target instanceof Element && target.closest('a[href]:not([download], [target])')
  if (link && !defaultPrevented && !isOnTheWay) clearTimeout(timer)
})

/** The layers of an entry are not there any more: what the page shows belongs below them. */
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

/**
 * Answers whether it is there now. Browsers take some hundred changes in a minute and refuse more: some throw, some say
 * nothing. Then there is a step less.
 */
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

/** Back to the entry where that belongs which the page shows. */
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
