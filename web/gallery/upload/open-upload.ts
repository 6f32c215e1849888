import { showNotice } from '../parts/notices.tsx'
import { openDialog } from '../parts/open-dialog.tsx'
import { page, t } from '../state/page.ts'

/** Does not depend on the reveal: guests may upload before they see photos. */
export const canUpload = page.viewer.kind === 'guest' && page.event.allow_user_uploads

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
  await openDialog(async () => {
    const { startUpload, UploadDialog } = await load()
    startUpload(files, reopen)
    return UploadDialog
  }, {})
  isOpen = false
}

export function acceptDrops(): void {
  if (!canUpload) return
  const onFileDrag = (action: (event: DragEvent) => void) => (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    action(event)
  }
  const isFromOutside = (event: DragEvent) => event.relatedTarget === null
  addEventListener(
    'dragenter',
    onFileDrag((event) => isFromOutside(event) && void openUpload()),
  )
  addEventListener(
    'dragover',
    onFileDrag(({ dataTransfer }) => {
      if (dataTransfer) dataTransfer.dropEffect = 'copy'
    }),
  )
  addEventListener('drop', onFileDrag(openDropped))
}

/** Reads the entries synchronously, because they are only available during the event. */
function openDropped({ dataTransfer }: DragEvent): void {
  const files = [...(dataTransfer?.files ?? [])]
  const entries = [...(dataTransfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const hasFolder = entries.some(({ isDirectory }) => isDirectory)
  const loadingFiles = import('./files-in-folders.ts').then(({ filesInFolders, sortByName }) =>
    hasFolder ? filesInFolders(entries) : sortByName(files),
  )
  loadingFiles.then(openUpload, () => showNotice(t('failed'), { isError: true }))
}
