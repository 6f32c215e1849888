import './gallery.css'
import { hydrate, render } from 'preact'
import { mountSelectionBar } from './download/mount-selection-bar.ts'
import { Grid } from './grid/grid.tsx'
import { refreshOnReturn } from './grid/refresh-list.ts'
import { isRestoringScroll } from './grid/scroll-position.ts'
import { watchLongPress } from './grid/select-tiles.ts'
import { watchCover } from './grid/watch-cover.ts'
import { openNameDialogOnRequest } from './guest/name-request.ts'
import { startMarkQueue } from './marks/mark-queue.ts'
import { WaitingLine } from './marks/waiting-line.tsx'
import { Notices } from './parts/notices.tsx'
import { PicksBar } from './picks/picks-bar.tsx'
import { listenToShortcuts } from './shortcuts/listen-to-shortcuts.ts'
import { page } from './state/page.ts'
import { loadRest } from './state/photos.ts'
import { shownPhoto } from './state/shown-photo.ts'
import { FoundCount } from './tools/found-count.tsx'
import { watchPhotoCount } from './tools/photo-count.ts'
import { Tools } from './tools/tools.tsx'
import { mountUploadButton } from './upload/mount-upload-button.tsx'
import { acceptDrops } from './upload/open-upload.ts'
import { loadViewerOnDemand } from './viewer/viewer-loader.ts'

const main = document.getElementById('gallery')
const tools = document.getElementById('tools')
const found = document.getElementById('found')
const reveal = document.getElementById('reveal')
const photos = document.getElementById('photos')

// If there are no photos yet, the page of the server stays unchanged.
if (tools && photos) {
  document.documentElement.classList.add('scripted')
  watchCover()
  document.getElementById('pages')?.remove()
  render(<Tools />, tools)
  if (found) render(<FoundCount />, found)
  hydrate(<Grid />, photos)
  watchPhotoCount()
  refreshOnReturn()
  mountSelectionBar(tools)
  watchLongPress(photos)
  const foot = document.createElement('div')
  document.body.append(foot)
  render(
    <Notices>
      <WaitingLine />
    </Notices>,
    foot,
  )
  const picks = document.getElementById('picks')
  if (picks) hydrate(<PicksBar />, picks)
  openNameDialogOnRequest()
  loadViewerOnDemand(photos)
  listenToShortcuts()
  void startMarkQueue()
  // If this fails, the photos that came with the page stay.
  if (page.filtered > page.photos.length)
    loadRest(isRestoringScroll() || shownPhoto.peek() !== null).catch(() => undefined)
}

acceptDrops()
// Guests can upload before there are photos to see.
if (!tools && main) mountUploadButton(main)

if (reveal) void import('./reveal/countdown.ts').then(({ startCountdown }) => startCountdown(reveal))
