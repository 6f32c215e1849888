import type { Page } from 'playwright-core'

type Scrolling = {
  /** The distance of one frame in window heights. It is large enough to replace all visible elements. */
  windows: number
  /** Each time after this number of frames, scrolling pauses until all visible tiles are loaded. */
  restAfter: number
  /** Selector of one element per photo. It has or contains `data-photo` when its details are loaded. */
  tiles: string
  counted: string
}

/** Scrolls to the end. Returns the maximum number of elements that match the selector `counted`. */
export const scrollThrough = (page: Page, scrolling: Scrolling): Promise<number> =>
  page.evaluate(async ({ windows, restAfter, tiles, counted }) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const isInSight = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    }
    const isWhole = (tile: Element) =>
      tile.matches('[data-photo], :has([data-photo])') &&
      [...tile.querySelectorAll('img')].every((image) => image.complete)
    const isAtRest = () => {
      const inSight = [...document.querySelectorAll(tiles)].filter(isInSight)
      return inSight.length > 0 && inSight.every(isWhole)
    }
    const end = document.documentElement.scrollHeight - innerHeight
    let most = 0
    for (let step = 1; scrollY < end - 1; step++) {
      scrollBy(0, innerHeight * windows)
      await frame()
      while (step % restAfter === 0 && !isAtRest()) await frame()
      most = Math.max(most, document.querySelectorAll(counted).length)
    }
    return most
  }, scrolling)

export const galleryScrolling: Scrolling = { windows: 16, restAfter: 8, tiles: '.tile', counted: '#grid, #grid *' }
export const adminScrolling: Scrolling = { windows: 12, restAfter: 6, tiles: '[data-index]', counted: '*' }
