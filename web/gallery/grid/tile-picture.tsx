import { useEffect, useRef, useState } from 'preact/hooks'
import {
  maxTileWidth,
  pictureSrcset,
  type TilePhoto,
  thumbnailPath,
  tileRatio,
  tileSizes,
} from '../../../contract/gallery/gallery-tiles.ts'
import { page } from '../state/page.ts'
import { hasSmallTiles } from './tile-size.ts'

const maxRetriesOnReturn = 3

/**
 * Falls back to the thumbnail, then to the placeholder. Retries when the browser goes online, and at most three times
 * when the tile comes back into view.
 */
export function TilePicture({ tile, name }: { tile: TilePhoto; name: string }) {
  const image = useRef<HTMLImageElement>(null)
  const [requested, setRequested] = useState<'any' | 'thumbnail' | 'nothing'>('any')
  const [isFailed, setFailed] = useState(false)
  const returnCount = useRef(0)
  const fail = () => {
    setFailed(true)
    setRequested(requested === 'any' ? 'thumbnail' : 'nothing')
  }

  useEffect(() => {
    // A picture that failed before the script ran fires no `error` event any more.
    if (image.current?.complete && image.current.naturalWidth === 0) fail()
  }, [])
  useEffect(() => {
    if (requested !== 'nothing' || !image.current) return
    const retry = () => setRequested('any')
    const retryOnReturn = () => {
      if (returnCount.current++ < maxRetriesOnReturn) retry()
    }
    addEventListener('online', retry)
    const stopWatching = onReenter(image.current, retryOnReturn)
    return () => {
      removeEventListener('online', retry)
      stopWatching()
    }
  }, [requested])

  const ratio = tileRatio(tile)
  return (
    <img
      ref={image}
      class={isFailed ? 'failed' : undefined}
      src={thumbnailPath(page, tile.id)}
      srcset={requested === 'any' ? pictureSrcset(page, tile, maxTileWidth(ratio)) : undefined}
      sizes={tileSizes(ratio, hasSmallTiles.value)}
      alt={name}
      decoding="async"
      onError={fail}
      onLoad={() => setFailed(false)}
    />
  )
}

function onReenter(element: Element, call: () => void): () => void {
  let wasOutside = false
  const observer = new IntersectionObserver((changes) => {
    for (const { isIntersecting } of changes) {
      if (isIntersecting && wasOutside) call()
      wasOutside = !isIntersecting
    }
  })
  observer.observe(element)
  return () => observer.disconnect()
}
