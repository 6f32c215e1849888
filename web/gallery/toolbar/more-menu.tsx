import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { openNotes } from '../comments/open-comments.ts'
import { hasPicks, isShowingPicks } from '../download/is-showing-picks.ts'
import { canDownload, openDownload } from '../download/open-download.ts'
import { canSelect } from '../grid/select-tiles.ts'
import { hasSmallTiles, toggleTileSize } from '../grid/tile-size.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { openDialog } from '../parts/open-dialog.tsx'
import { openHelp } from '../shortcuts/listen-to-shortcuts.ts'
import { openLayer } from '../state/history-layers.ts'
import { canWriteNotes, page, t } from '../state/page.ts'
import { startSelecting } from '../state/selection.ts'
import { canUpload, openUpload } from '../upload/open-upload.ts'

const isGuest = page.viewer.kind === 'guest'

type Action = { icon: IconName; text: string; run: () => void; isAvailable: boolean; class?: string }

const actions = (): Action[] => [
  { icon: 'select', text: t('selectPhotos'), run: selectPhotos, isAvailable: canSelect },
  // Wide windows have a separate button.
  { icon: 'tiles', text: sizeText(), run: toggleTileSize, isAvailable: true, class: 'small-only' },
  { icon: 'download', text: downloadText(), run: () => void openDownload({ filters: {} }), isAvailable: canDownload },
  { icon: 'upload', text: t('uploadTitle'), run: () => void openUpload(), isAvailable: canUpload },
  { icon: 'share', text: t('share'), run: openShareDialog, isAvailable: true },
  { icon: 'device', text: t('continueElsewhere'), run: openContinueDialog, isAvailable: isGuest },
  { icon: 'person', text: t('yourName'), run: openNameDialog, isAvailable: isGuest },
  { icon: 'comment', text: t('noteTitle'), run: () => openNotes(null), isAvailable: canWriteNotes, class: 'notes' },
  { icon: 'keyboard', text: t('keyHelp'), run: openHelp, isAvailable: matchMedia('(any-pointer: fine)').matches },
]

const downloadText = () => t(isShowingPicks() ? 'downloadPicks' : hasPicks() ? 'downloadSome' : 'downloadAll')
const sizeText = () => t(hasSmallTiles.value ? 'largePhotos' : 'smallPhotos')

/** On a phone, a cover and a welcome can fill the window, with no photo to select in view. */
function selectPhotos(): void {
  startSelecting()
  const photos = document.getElementById('photos')
  if (photos && photos.getBoundingClientRect().top > innerHeight / 2) photos.scrollIntoView()
}

const openShareDialog = () => void openDialog(async () => (await import('../share/share-dialog.tsx')).ShareDialog, {})
const openNameDialog = () => void openDialog(async () => (await import('../guest/name-dialog.tsx')).NameDialog, {})
const openContinueDialog = () =>
  void openDialog(async () => (await import('../guest/continue-dialog.tsx')).ContinueDialog, {})

/** Safari before 17 has no popovers. In such browsers the script shows and hides the menu. */
const hasPopovers = 'popover' in HTMLElement.prototype

export function MoreMenu() {
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLElement>(null)
  const leave = useRef(() => {})
  const [isOpen, setOpen] = useState(false)
  const [reposition] = useState(() => () => {
    positionMenu(menu.current, button.current)
    addEventListener('scroll', reposition, { passive: true })
  })
  const setMenuOpen = (shouldOpen: boolean) => {
    setOpen(shouldOpen)
    if (shouldOpen) {
      reposition()
      leave.current = openLayer(close)
    } else {
      removeEventListener('scroll', reposition)
      leave.current()
    }
  }
  const close = () => {
    if (hasPopovers) return menu.current?.hidePopover()
    restoreFocus(menu.current, button.current)
    setMenuOpen(false)
  }
  useLayoutEffect(() => {
    if (!isOpen) return
    const parts = [menu.current, button.current]
    const stopKeeping = keepTapsOutside(parts)
    const stopWatching = hasPopovers ? undefined : watchOutside(parts, close)
    return () => {
      stopKeeping()
      stopWatching?.()
    }
  }, [isOpen])
  return (
    <>
      <button
        type="button"
        class="round"
        ref={button}
        aria-label={t('menu')}
        {...(hasPopovers
          ? { popovertarget: 'menu' }
          : { 'aria-expanded': isOpen, onClick: () => (isOpen ? close() : setMenuOpen(true)) })}
      >
        <Icon name="more" />
      </button>
      <section
        ref={menu}
        id="menu"
        class="menu"
        aria-label={t('menu')}
        {...(hasPopovers
          ? {
              popover: 'auto',
              onBeforeToggle: ({ newState }: { newState: string }) => setMenuOpen(newState === 'open'),
            }
          : { hidden: !isOpen })}
      >
        <ul>
          {actions()
            .filter(({ isAvailable }) => isAvailable)
            .map(({ icon, text, run, class: className }) => (
              <li key={icon} class={className}>
                <button
                  type="button"
                  onClick={() => {
                    close()
                    // When a dialog that `run` opens is closed, it gives the focus back to the menu button.
                    button.current?.focus({ preventScroll: true })
                    run()
                  }}
                >
                  <Icon name={icon} />
                  {text}
                </button>
              </li>
            ))}
        </ul>
        {page.languages.length > 1 && <LanguageChoice />}
      </section>
    </>
  )
}

const isWithin = (parts: Array<HTMLElement | null>, target: EventTarget | null): boolean =>
  parts.some((part) => target instanceof Node && part?.contains(target))

/** A tap beside the menu closes it, and must not open the photo below. */
function keepTapsOutside(parts: Array<HTMLElement | null>): () => void {
  const isMenuOpen = new AbortController()
  const onPointerDown = ({ target }: PointerEvent) => {
    if (isWithin(parts, target)) return
    // Touches that scroll the page cause no click. The next touch ends the wait for one.
    const isWaiting = new AbortController()
    const options = { capture: true, once: true, signal: isWaiting.signal }
    const stopClick = (event: MouseEvent) => {
      event.preventDefault()
      event.stopPropagation()
      isWaiting.abort()
    }
    addEventListener('click', stopClick, options)
    addEventListener('pointerdown', () => isWaiting.abort(), options)
  }
  addEventListener('pointerdown', onPointerDown, { capture: true, signal: isMenuOpen.signal })
  return () => isMenuOpen.abort()
}

/** Calls `close` on Escape and on `pointerup` outside of `parts`. Touches that scroll the page fire no `pointerup`. */
function watchOutside(parts: Array<HTMLElement | null>, close: () => void): () => void {
  const controller = new AbortController()
  const listenerOptions = { capture: true, signal: controller.signal }
  addEventListener('pointerup', ({ target }) => isWithin(parts, target) || close(), listenerOptions)
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
    },
    listenerOptions,
  )
  return () => controller.abort()
}

/** Focuses the button unless the focus has moved elsewhere. In Safari a clicked button does not get the focus. */
function restoreFocus(menu: HTMLElement | null, button: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === document.body || menu?.contains(activeElement)) button?.focus({ preventScroll: true })
}

/** With less space than this below the button, the menu opens above the button if there is more space above. */
const minHeightPx = 440
const gapPx = 4

/** On phones the styles in gallery.css place the menu at the bottom. */
function positionMenu(menu: HTMLElement | null, button: HTMLElement | null): void {
  if (!menu || !button) return
  menu.removeAttribute('style')
  if (matchMedia('(max-width: 39.99rem)').matches) return
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const below = innerHeight - bottom
  const isAbove = below < minHeightPx && top > below
  const isRtl = getComputedStyle(button).direction === 'rtl'
  Object.assign(menu.style, {
    inset: 'auto',
    [isAbove ? 'bottom' : 'top']: `${(isAbove ? innerHeight - top : bottom) + gapPx}px`,
    [isRtl ? 'left' : 'right']: `${isRtl ? left : document.documentElement.clientWidth - right}px`,
    maxHeight: `${(isAbove ? top : below) - 3 * gapPx}px`,
  })
}

const yearSeconds = 365 * 24 * 3600

/** The link sets the language in the query. A click sets a cookie instead, so that the URL does not change. */
function LanguageChoice() {
  return (
    <div class="menu-languages">
      <Icon name="globe" />
      <ul aria-label={t('languages')}>
        {page.languages.map(({ code, name }) => (
          <li key={code}>
            <a
              href={`?${new URLSearchParams([...new URLSearchParams(location.search), ['language', code]])}`}
              hreflang={code}
              lang={code}
              aria-current={code === page.locale ? 'true' : undefined}
              onClick={(event) => {
                event.preventDefault()
                // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
                document.cookie = `language=${code}; path=/; max-age=${yearSeconds}; samesite=lax`
                location.reload()
              }}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
