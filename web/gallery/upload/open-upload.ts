import { showNotice } from '../parts/notices.tsx'
import { openOver } from '../parts/open-over.tsx'
import { page, t } from '../state/page.ts'

/** Also true before the gallery shows photos. */
export const mayUpload = page.viewer.kind === 'guest' && page.event.allow_user_uploads

let isOpen = false

const reopen = () => void openUpload()
const load = () => import('./upload-dialog.tsx')

export async function openUpload(files: readonly File[] = []): Promise<void> {
  if (isOpen) {
    return load().then(
      ({ startUpload }) => startUpload(files, reopen),
      () => undefined,
    )
  }
  isOpen = true
  await openOver(async () => {
    const { startUpload, UploadDialog } = await load()
    startUpload(files, reopen)
    return UploadDialog
  }, {})
  isOpen = false
}

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

/** The entries of dropped folders are only available during the event. */
function takeDropped({ dataTransfer }: DragEvent): void {
  const files = [...(dataTransfer?.files ?? [])]
  const entries = [...(dataTransfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const taking = entries.some(({ isDirectory }) => isDirectory)
    ? import('./files-in-folders.ts').then(({ filesInFolders }) => filesInFolders(entries))
    : Promise.resolve(files)
  taking.then(openUpload, () => showNotice(t('failed'), { isAlarm: true }))
}
