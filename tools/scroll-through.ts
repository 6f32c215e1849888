import type { Page } from 'playwright-core'

type Scrolling = {
  /** Window heights that each frame moves on: so far that everything drawn changes. */
  windows: number
  /** After this many frames, scrolling rests until the tiles in sight have their details and pictures. */
  restAfter: number
  /** Elements that stand for one photo each; they have `data-photo`, or contain what has it, once its details are there. */
  tiles: string
  /** Elements to count. */
  counted: string
}

/** Scrolls from the top of a page to its end. Returns the highest number of counted elements it had on the way. */
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

/** As fast as no person scrolls, in the gallery and in the admin app. */
export const galleryScrolling: Scrolling = { windows: 16, restAfter: 8, tiles: '.tile', counted: '#grid, #grid *' }
export const adminScrolling: Scrolling = { windows: 12, restAfter: 6, tiles: '[data-index]', counted: '*' }
