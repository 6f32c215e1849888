import { useEffect, useRef, useState } from 'preact/hooks'
import {
  pictureSet,
  type TilePhoto,
  thumbnailPath,
  tileRatio,
  tileSizes,
  widestOfTile,
} from '../../../contract/gallery-tiles.ts'
import { page } from '../state/page.ts'

/** So often a picture is asked for anew because somebody has scrolled to it again. */
const maxReturns = 3

/**
 * The picture of a tile. Where a larger one does not come (it may still be being made) it is the thumbnail, which always is
 * there. Where that does not come either, as without a connection, nothing covers the stand-in, and all is asked for anew when
 * the browser is online again, or somebody scrolls to it.
 */
export function TilePicture({ tile, name }: { tile: TilePhoto; name: string }) {
  const image = useRef<HTMLImageElement>(null)
  const [asked, ask] = useState<'any' | 'thumbnail' | 'nothing'>('any')
  const [isFailed, setFailed] = useState(false)
  const returns = useRef(0)
  const fail = () => {
    setFailed(true)
    ask(asked === 'any' ? 'thumbnail' : 'nothing')
  }

  useEffect(() => {
    // Before the script was there.
    if (image.current?.complete && image.current.naturalWidth === 0) fail()
  }, [])
  useEffect(() => {
    if (asked !== 'nothing' || !image.current) return
    const askAnew = () => ask('any')
    const askOnReturn = () => {
      if (returns.current++ < maxReturns) askAnew()
    }
    addEventListener('online', askAnew)
    const stopWatching = whenComeTo(image.current, askOnReturn)
    return () => {
      removeEventListener('online', askAnew)
      stopWatching()
    }
  }, [asked])

  const ratio = tileRatio(tile)
  return (
    <img
      ref={image}
      class={isFailed ? 'failed' : undefined}
      src={thumbnailPath(page, tile.id)}
      srcset={asked === 'any' ? pictureSet(page, tile, widestOfTile(ratio)) : undefined}
      sizes={tileSizes(ratio)}
      alt={name}
      decoding="async"
      onError={fail}
      onLoad={() => setFailed(false)}
    />
  )
}

/** Calls as soon as the element comes into the window from outside of it. Answers what ends that. */
function whenComeTo(element: Element, call: () => void): () => void {
  let wasAway = false
  const observer = new IntersectionObserver((changes) => {
    for (const { isIntersecting } of changes) {
      if (isIntersecting && wasAway) call()
      wasAway = !isIntersecting
    }
  })
  observer.observe(element)
  return () => observer.disconnect()
}
