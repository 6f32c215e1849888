import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { loadWhenReachable } from '../parts/load-when-reachable.ts'
import { handleLoadFailure, handlePreloadFailure } from '../parts/open-dialog.tsx'
import { preloadLater } from '../parts/preload-later.ts'
import { openLayer } from '../state/history-layers.ts'
import { t } from '../state/page.ts'
import type { MenuContentProps } from './menu-content.tsx'

const content = signal<ComponentType<MenuContentProps> | null>(null)

const requestContent = loadWhenReachable(() => import('./menu-content.tsx'))

const loadContent = (): Promise<void> =>
  requestContent().then(({ MenuContent }) => {
    content.value = MenuContent
  })

const preloadContent = (): void => void loadContent().catch(handlePreloadFailure)

/** Safari before 17 has no popovers. In such browsers the script shows and hides the menu. */
const hasPopovers = 'popover' in HTMLElement.prototype

export function MoreMenu() {
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLElement>(null)
  const leave = useRef(() => {})
  const [isOpen, setOpen] = useState(false)
  const Content = content.value
  useEffect(() => preloadLater(preloadContent), [])
  const [reposition] = useState(() => () => {
    positionMenu(menu.current, button.current)
    addEventListener('scroll', reposition, { passive: true })
  })
  const setMenuOpen = (shouldOpen: boolean) => {
    setOpen(shouldOpen)
    if (shouldOpen) {
      loadContent().catch(() => {
        close()
        void handleLoadFailure()
      })
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
        onPointerOver={preloadContent}
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
        {Content && <Content close={close} button={button} />}
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
