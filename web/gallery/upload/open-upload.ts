import { tell } from '../parts/notices.tsx'
import { page, say } from '../state/page.ts'

/** Whether guests may bring photos of their own; also before the gallery shows its own. */
export const mayUpload = page.viewer.kind === 'guest' && page.event.allow_user_uploads

/** Opens the dialog for photos of the guest's own, with some at once where they have been dropped. */
export async function openUpload(files: readonly File[] = []): Promise<void> {
  try {
    const { showUpload } = await import('./upload-dialog.tsx')
    showUpload(files)
  } catch {
    tell(say('failed'), { isAlarm: true })
  }
}

/** Files dragged over the page open the dialog, wherever they are dropped. */
export function watchDrops(): void {
  if (!mayUpload) return
  const whenFiles = (deed: (event: DragEvent) => void) => (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    deed(event)
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
    ? import('./dropped-files.ts').then(({ filesIn }) =>
        Promise.all(entries.map(filesIn)).then((found) => found.flat()),
      )
    : Promise.resolve(files)
  taking.then(openUpload, () => tell(say('failed'), { isAlarm: true }))
}
