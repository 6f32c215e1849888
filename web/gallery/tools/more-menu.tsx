import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { mayDownload, openDownload } from '../download/open-download.ts'
import { maySelect } from '../grid/select-by-hand.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { openOver } from '../parts/open-over.tsx'
import { page, t } from '../state/page.ts'
import { startSelecting } from '../state/selection.ts'
import { openLayer } from '../state/way-back.ts'
import { mayUpload, openUpload } from '../upload/open-upload.ts'
import { LanguageChoice } from './language-choice.tsx'

type Action = { icon: IconName; text: string; act: () => void; isThere: boolean }

const isGuest = page.viewer.kind === 'guest'

const actions = (): Action[] => [
  { icon: 'select', text: t('selectPhotos'), act: () => startSelecting(), isThere: maySelect },
  { icon: 'download', text: t('downloadAll'), act: () => void openDownload({ filters: {} }), isThere: mayDownload },
  { icon: 'upload', text: t('uploadTitle'), act: () => void openUpload(), isThere: mayUpload },
  { icon: 'share', text: t('share'), act: share, isThere: true },
  { icon: 'device', text: t('continueElsewhere'), act: continueElsewhere, isThere: isGuest },
  { icon: 'person', text: t('yourName'), act: nameYourself, isThere: isGuest },
  { icon: 'keyboard', text: t('keyHelp'), act: help, isThere: matchMedia('(any-pointer: fine)').matches },
]

const share = () => void openOver(async () => (await import('../share/share-dialog.tsx')).ShareDialog, {})
const nameYourself = () => void openOver(async () => (await import('../guest/name-dialog.tsx')).YourName, {})
const help = () => void openOver(async () => (await import('../help/help.tsx')).Help, {})
const continueElsewhere = () =>
  void openOver(async () => (await import('../guest/continue-dialog.tsx')).ContinueDialog, {})

/** Safari before 17 has no popovers; there the script shows and hides the menu. */
const hasPopovers = 'popover' in HTMLElement.prototype

export function MoreMenu() {
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLElement>(null)
  const leave = useRef(() => {})
  const [isOpen, setOpen] = useState(false)
  const [follow] = useState(() => () => {
    place(menu.current, button.current)
    addEventListener('scroll', follow, { passive: true })
  })
  const turn = (isToOpen: boolean) => {
    setOpen(isToOpen)
    if (isToOpen) {
      follow()
      leave.current = openLayer(close)
    } else {
      removeEventListener('scroll', follow)
      leave.current()
    }
  }
  const close = () => {
    if (hasPopovers) return menu.current?.hidePopover()
    giveFocusBack(menu.current, button.current)
    turn(false)
  }
  useLayoutEffect(() => {
    if (isOpen && !hasPopovers) return watchBeside([menu.current, button.current], close)
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
          : { 'aria-expanded': isOpen, onClick: () => (isOpen ? close() : turn(true)) })}
      >
        <Icon name="more" />
      </button>
      <section
        ref={menu}
        id="menu"
        class="menu"
        aria-label={t('menu')}
        {...(hasPopovers
          ? { popover: 'auto', onBeforeToggle: ({ newState }: { newState: string }) => turn(newState === 'open') }
          : { hidden: !isOpen })}
      >
        <ul>
          {actions()
            .filter(({ isThere }) => isThere)
            .map(({ icon, text, act }) => (
              <li key={icon}>
                <button
                  type="button"
                  onClick={() => {
                    close()
                    // A dialog that opens now restores the focus to this button.
                    button.current?.focus({ preventScroll: true })
                    act()
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

/** A touch that scrolls the page does not close it. */
function watchBeside(parts: Array<HTMLElement | null>, close: () => void): () => void {
  const ending = new AbortController()
  const way = { capture: true, signal: ending.signal }
  const isWithin = (target: EventTarget | null) =>
    parts.some((part) => target instanceof Node && part?.contains(target))
  addEventListener('pointerup', ({ target }) => isWithin(target) || close(), way)
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
    },
    way,
  )
  return () => ending.abort()
}

/** Does nothing if the focus has moved elsewhere. Safari does not focus a button that is clicked. */
function giveFocusBack(menu: HTMLElement | null, button: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === document.body || menu?.contains(activeElement)) button?.focus({ preventScroll: true })
}

/** With less space below the button, the menu opens above it. */
const roomPx = 440
const gapPx = 4

/** On phones gallery.css places it at the bottom. */
function place(menu: HTMLElement | null, button: HTMLElement | null): void {
  if (!menu || !button) return
  menu.removeAttribute('style')
  if (matchMedia('(max-width: 39.99rem)').matches) return
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const below = innerHeight - bottom
  const isAbove = below < roomPx && top > below
  const isRtl = getComputedStyle(button).direction === 'rtl'
  Object.assign(menu.style, {
    inset: 'auto',
    [isAbove ? 'bottom' : 'top']: `${(isAbove ? innerHeight - top : bottom) + gapPx}px`,
    [isRtl ? 'left' : 'right']: `${isRtl ? left : document.documentElement.clientWidth - right}px`,
    maxHeight: `${(isAbove ? top : below) - 3 * gapPx}px`,
  })
}
