import './gallery.css'
import './marks/waiting-line.css'
import { effect, untracked } from '@preact/signals'
import { hydrate, render } from 'preact'
import { mountSelectionBar } from './download/mount-selection-bar.ts'
import { FoundCount, watchPhotoCount } from './filters/photo-counts.tsx'
import { isRestoringScroll } from './filters/scroll-position.ts'
import { Grid } from './grid/grid.tsx'
import { refreshOnReturn } from './grid/refresh-list.ts'
import { selectOnLongPress } from './grid/select-tiles.ts'
import { nameRequest, willAskName } from './marks/guest-name.ts'
import { startMarkQueue } from './marks/mark-queue.ts'
import { waitingMarks, waitReason } from './marks/own-marks.ts'
import { loadWhenReachable } from './parts/load-when-reachable.ts'
import { lines, Notices } from './parts/notices.tsx'
import { handlePreloadFailure, mountAfter, openDialog } from './parts/open-dialog.tsx'
import { preloadLater } from './parts/preload-later.ts'
import { PicksBar } from './selections/picks-bar.tsx'
import { resumePending } from './selections/send-pending.ts'
import { WaitingPicks } from './selections/waiting-picks.tsx'
import { listenToShortcuts } from './shortcuts/listen-to-shortcuts.ts'
import { page, t } from './state/page.ts'
import { loadRest } from './state/photos.ts'
import { shownPhoto } from './state/shown-photo.ts'
import { Tools } from './toolbar/tools.tsx'
import { mountUploadButton } from './upload/mount-upload-button.tsx'
import { acceptDrops } from './upload/open-upload.ts'
import { loadViewerOnDemand } from './viewer/viewer-loader.ts'

const loadNameDialog = loadWhenReachable(() => import('./guest/name-dialog.tsx'))

const main = document.getElementById('gallery')
const tools = document.getElementById('tools')
const found = document.getElementById('found')
const reveal = document.getElementById('reveal')
const photos = document.getElementById('photos')

// A gallery without visible photos has no tools.
if (tools && photos) {
  document.documentElement.classList.add('scripted')
  watchCover()
  watchHeader()
  document.getElementById('pages')?.remove()
  render(<Tools />, tools)
  if (found) render(<FoundCount />, found)
  hydrate(<Grid />, photos)
  watchPhotoCount()
  refreshOnReturn()
  mountSelectionBar(tools)
  selectOnLongPress(photos)
  const picks = document.getElementById('picks')
  // In the order of the Tab key, the buttons of notices follow the buttons of the bar, not the links of the footer.
  lines.value = { waiting: WaitingLine, send: WaitingPicks }
  mountAfter(picks ?? main ?? photos, <Notices />)
  const startedQueue = startMarkQueue()
  if (picks) {
    if (page.round)
      import('./selections/rounds/start-rounds.tsx').then(
        ({ startRounds }) => startRounds(picks, startedQueue),
        () => render(<PicksBar />, picks),
      )
    else hydrate(<PicksBar />, picks)
  }
  openNameDialogOnRequest()
  loadViewerOnDemand(photos)
  listenToShortcuts()
  void startedQueue.then(() => picks && resumePending())
  // If the request fails, the list has only the photos that the page contains.
  if (page.filtered > page.photos.length)
    loadRest(isRestoringScroll() || shownPhoto.peek() !== null).catch(() => undefined)
}

acceptDrops()
// Guests can upload before the gallery shows photos.
if (!tools && main) mountUploadButton(main)

const firstLook = document.getElementById('first-look')
if (firstLook) void import('./guest/watch-first-look.ts').then(({ watchFirstLook }) => watchFirstLook(firstLook))

if (reveal) void import('./reveal/countdown.ts').then(({ startCountdown }) => startCountdown(reveal))

/**
 * Loads the photos and the font of texts when the cover above them is loaded or fails, or on a scroll. See
 * web/assets/gallery.css.
 */
function watchCover(): void {
  const cover = document.querySelector<HTMLImageElement>('.cover img:not(.hash)')
  const root = document.documentElement
  const showRest = () => {
    root.classList.add('covered')
    const { textFace: href } = root.dataset
    if (href) document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }))
    delete root.dataset.textFace
    const film = document.querySelector<HTMLElement>('[data-film]')
    if (film) void import('./cover/play-film.tsx').then(({ playFilm }) => playFilm(film))
  }
  if (!cover || cover.complete) showRest()
  else for (const end of ['load', 'error']) cover.addEventListener(end, showRest, { once: true })
  addEventListener('scroll', showRest, { once: true, passive: true })
}

/** The name of the gallery is above the tools while its header is out of the window. */
function watchHeader(): void {
  const header = document.querySelector('body > header')
  const toggleBar = (isGone: boolean) => document.documentElement.classList.toggle('below-header', isGone)
  if (header) new IntersectionObserver(([entry]) => toggleBar(entry?.isIntersecting === false)).observe(header)
}

function openNameDialogOnRequest(): void {
  // The first mark may be made without a connection.
  if (willAskName()) preloadLater(() => void loadNameDialog().catch(handlePreloadFailure))
  effect(() => {
    const respond = nameRequest.value
    if (respond) untracked(() => void requestName().then(respond))
  })
}

async function requestName(): Promise<boolean> {
  let hasName = false
  const onSaved = () => {
    hasName = true
  }
  await openDialog(async () => (await loadNameDialog()).NameDialog, { isAsked: true, onSaved })
  return hasName
}

function WaitingLine() {
  const count = waitingMarks.value
  if (count === 0 || waitReason.value === null) return null
  if (waitReason.value === 'connection') return <p class="waiting">{t('waiting', { count })}</p>
  return (
    <p class="waiting">
      <span>{t('sessionOver')}</span>
      <button type="button" class="link" onClick={() => location.reload()}>
        {t('openAgain')}
      </button>
    </p>
  )
}
