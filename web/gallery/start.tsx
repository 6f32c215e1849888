import './gallery.css'
import { hydrate, render } from 'preact'
import { keepSelectionBar } from './download/keep-selection-bar.ts'
import { watchCover } from './grid/after-cover.ts'
import { Grid } from './grid/grid.tsx'
import { isOnTheWayBack } from './grid/keep-scroll.ts'
import { watchReturn } from './grid/look-again.ts'
import { watchLongPress } from './grid/select-by-hand.ts'
import { watchNameWanted } from './guest/watch-name-wanted.ts'
import { startMarkQueue } from './marks/mark-queue.ts'
import { WaitingLine } from './marks/waiting-line.tsx'
import { Notices } from './parts/notices.tsx'
import { PicksBar } from './picks/picks-bar.tsx'
import { listenToKeys } from './shortcuts/listen-to-keys.ts'
import { page } from './state/page.ts'
import { askForRest } from './state/photos.ts'
import { shownPhoto } from './state/shown-photo.ts'
import { Found } from './tools/found.tsx'
import { watchPhotoCount } from './tools/photo-count.ts'
import { Tools } from './tools/tools.tsx'
import { offerUpload } from './upload/offer-upload.tsx'
import { watchDrops } from './upload/open-upload.ts'
import { watchViewerDoor } from './viewer/viewer-door.ts'

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
  if (found) render(<Found />, found)
  hydrate(<Grid />, photos)
  watchPhotoCount()
  watchReturn()
  keepSelectionBar(tools)
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
  watchNameWanted()
  watchViewerDoor(photos)
  listenToKeys()
  void startMarkQueue()
  // If this fails, the photos that came with the page stay.
  if (page.filtered > page.photos.length)
    askForRest(isOnTheWayBack() || shownPhoto.peek() !== null).catch(() => undefined)
}

watchDrops()
// Guests can upload before there are photos to see.
if (!tools && main) offerUpload(main)

if (reveal) void import('./reveal/countdown.ts').then(({ countDown }) => countDown(reveal))
