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

const maxReturns = 3

/** Falls back to the thumbnail, and then to the placeholder until the browser is online or the guest scrolls back. */
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
    // The picture failed before the script ran.
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
