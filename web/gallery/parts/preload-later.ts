/** Gives the photos of the first screen time to load first. */
const delayMs = 3_000

/** Calls `preload` soon after the page has loaded. Returns a function that cancels it. */
export function preloadLater(preload: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    timer = setTimeout(preload, delayMs)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
  return () => {
    removeEventListener('load', wait)
    clearTimeout(timer)
  }
}
