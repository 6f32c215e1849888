import { openNotes } from '../comments/open-comments.ts'
import { hasPicks, isShowingPicks } from '../download/is-showing-picks.ts'
import { canDownload, openDownload } from '../download/open-download.ts'
import { canSelect } from '../grid/select-tiles.ts'
import { hasSmallTiles, toggleTileSize } from '../grid/tile-size.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { openDialog } from '../parts/open-dialog.tsx'
import { openHelp } from '../shortcuts/listen-to-shortcuts.ts'
import { canWriteNotes, page, t } from '../state/page.ts'
import { startSelecting } from '../state/selection.ts'
import { canUpload, openUpload } from '../upload/open-upload.ts'

export type MenuContentProps = { close: () => void; button: { current: HTMLButtonElement | null } }

const isGuest = page.viewer.kind === 'guest'

type Action = { icon: IconName; text: string; run: () => void; isAvailable: boolean; class?: string }

const actions = (): Action[] => [
  { icon: 'select', text: t('selectPhotos'), run: selectPhotos, isAvailable: canSelect },
  // Wide windows have a separate button.
  { icon: 'tiles', text: sizeText(), run: toggleTileSize, isAvailable: true, class: 'small-only' },
  { icon: 'download', text: downloadText(), run: () => void openDownload({ filters: {} }), isAvailable: canDownload },
  { icon: 'upload', text: canUpload ? t('uploadTitle') : '', run: () => void openUpload(), isAvailable: canUpload },
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

export const MenuContent = ({ close, button }: MenuContentProps) => (
  <>
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
  </>
)

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
