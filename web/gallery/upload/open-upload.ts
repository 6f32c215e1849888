import { tell } from '../parts/notices.tsx'
import { openOver } from '../parts/open-over.tsx'
import { page, say } from '../state/page.ts'

/** Whether guests may bring photos of their own; also before the gallery shows its own. */
export const mayUpload = page.viewer.kind === 'guest' && page.event.allow_user_uploads

let isOpen = false

const load = () => import('./upload-dialog.tsx')

/** Opens the dialog for photos of the guest's own, with some at once where they have been dropped. */
export async function openUpload(files: readonly File[] = []): Promise<void> {
  if (isOpen) {
    return load().then(
      ({ startUpload }) => startUpload(files),
      () => undefined,
    )
  }
  isOpen = true
  await openOver(async () => {
    const { startUpload, UploadDialog } = await load()
    startUpload(files)
    return UploadDialog
  }, {})
  isOpen = false
}

/** Files dragged over the page open the dialog, wherever they are dropped. */
export function watchDrops(): void {
  if (!mayUpload) return
  const whenFiles = (action: (event: DragEvent) => void) => (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    action(event)
  }
  const isFromOutside = (event: DragEvent) => event.relatedTarget === null
  addEventListener(
    'dragenter',
    whenFiles((event) => isFromOutside(event) && void openUpload()),
  )
  addEventListener(
    'dragover',
    whenFiles(({ dataTransfer }) => {
      if (dataTransfer) dataTransfer.dropEffect = 'copy'
    }),
  )
  addEventListener('drop', whenFiles(takeDropped))
}

/** What is dropped can be asked for its folders while the event lasts alone. */
function takeDropped({ dataTransfer }: DragEvent): void {
  const files = [...(dataTransfer?.files ?? [])]
  const entries = [...(dataTransfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const taking = entries.some(({ isDirectory }) => isDirectory)
    ? import('./files-in-folders.ts').then(({ filesInFolders }) => filesInFolders(entries))
    : Promise.resolve(files)
  taking.then(openUpload, () => tell(say('failed'), { isAlarm: true }))
}
