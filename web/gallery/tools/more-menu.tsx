import { useRef, useState } from 'preact/hooks'
import { mayDownload, openDownload } from '../download/open-download.ts'
import { maySelect } from '../grid/select-by-hand.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { openOver } from '../parts/open-over.tsx'
import { page, say } from '../state/page.ts'
import { startSelecting } from '../state/selection.ts'
import { openLayer } from '../state/way-back.ts'
import { mayUpload, openUpload } from '../upload/open-upload.ts'
import { LanguageChoice } from './language-choice.tsx'

type Deed = { icon: IconName; text: string; act: () => void; isThere: boolean }

const isGuest = page.viewer.kind === 'guest'

const deeds = (): Deed[] => [
  { icon: 'select', text: say('selectPhotos'), act: () => startSelecting(), isThere: maySelect },
  { icon: 'download', text: say('downloadAll'), act: () => void openDownload({ filters: {} }), isThere: mayDownload },
  { icon: 'upload', text: say('uploadTitle'), act: () => void openUpload(), isThere: mayUpload },
  { icon: 'share', text: say('share'), act: share, isThere: true },
  { icon: 'device', text: say('continueElsewhere'), act: continueElsewhere, isThere: isGuest },
  { icon: 'person', text: say('yourName'), act: nameYourself, isThere: isGuest },
  { icon: 'keyboard', text: say('keyHelp'), act: help, isThere: matchMedia('(any-pointer: fine)').matches },
]

const share = () => void openOver(async () => (await import('../share/share-dialog.tsx')).ShareDialog, {})
const nameYourself = () => void openOver(async () => (await import('../guest/name-dialog.tsx')).YourName, {})
const help = () => void openOver(async () => (await import('../help/help.tsx')).Help, {})
const continueElsewhere = () =>
  void openOver(async () => (await import('../guest/continue-dialog.tsx')).ContinueDialog, {})

/**
 * What is done more rarely: under its button, from below on a phone. The browser itself closes it by Escape or a tap beside
 * it, and gives the focus back.
 */
export function MoreMenu() {
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLElement>(null)
  const leave = useRef(() => {})
  const [follow] = useState(() => () => {
    place(menu.current, button.current)
    addEventListener('scroll', follow, { passive: true })
  })
  return (
    <>
      <button type="button" class="round" ref={button} aria-label={say('menu')} popovertarget="menu">
        <Icon name="more" />
      </button>
      <section
        ref={menu}
        id="menu"
        class="menu"
        popover="auto"
        aria-label={say('menu')}
        onBeforeToggle={(event) => {
          if (event.newState === 'open') {
            follow()
            leave.current = openLayer(() => menu.current?.hidePopover())
          } else {
            removeEventListener('scroll', follow)
            leave.current()
          }
        }}
      >
        <ul>
          {deeds()
            .filter(({ isThere }) => isThere)
            .map(({ icon, text, act }) => (
              <li key={icon}>
                <button
                  type="button"
                  onClick={() => {
                    menu.current?.hidePopover()
                    // A dialog finds the focus here, and gives it back here.
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

/** So much of it is to be seen at once, where the window has it. */
const roomPx = 440
const gapPx = 4

/** Under the button, wherever that is by now, or above it; phones have it at the foot by gallery.css. */
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
