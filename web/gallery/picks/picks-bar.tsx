import { useEffect, useRef } from 'preact/hooks'
import { openOver } from '../parts/open-over.tsx'
import { pickKind, say } from '../state/page.ts'
import { asked, counts } from '../state/photos.ts'
import { askInAddress, withFilter } from '../tools/address.ts'

/**
 * How many photos the guest has picked, always in reach; they can be looked at, and sent. Its markup is that of
 * `server/gallery/picks-bar.ts`.
 */
export function PicksBar() {
  const key = pickKind === 'like' ? 'liked' : 'favorited'
  const count = counts.value[key]
  const isShown = asked.value.filter === key
  const wanted = withFilter(isShown ? {} : { filter: key })
  const pill = useRef<HTMLDivElement>(null)
  useEffect(() => tellHeight(pill.current), [])
  return (
    <div ref={pill} class={`pill${count > 0 ? ' some' : ''}`}>
      <a
        class="my-picks"
        href={`?${new URLSearchParams(wanted)}`}
        aria-current={isShown ? 'true' : undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          askInAddress(wanted)
          toFirstPhoto()
        }}
      >
        {count > 0 ? say('picks', { count }) : say('picksNone')}
      </a>
      {count > 0 && (
        <button type="button" class="send-picks" aria-label={say('sendPicks')} onClick={sendPicks}>
          {say('sendPicksShort')}
        </button>
      )}
    </div>
  )
}

/** What is told stands above the counter, however large its text is. */
function tellHeight(pill: HTMLElement | null): (() => void) | undefined {
  const bar = pill?.parentElement
  if (!bar) return
  const observer = new ResizeObserver(() => {
    document.documentElement.style.setProperty('--picks', `${bar.offsetHeight}px`)
  })
  observer.observe(bar)
  return () => observer.disconnect()
}

const sendPicks = () => openOver(async () => (await import('./submit-dialog.tsx')).SubmitDialog, {})

/** Other photos begin at their first. */
function toFirstPhoto(): void {
  const top = document.getElementById('gallery')?.offsetTop ?? 0
  if (scrollY > top) scrollTo(0, top)
}
