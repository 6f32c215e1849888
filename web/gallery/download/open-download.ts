import { openDialog } from '../parts/open-dialog.tsx'
import { page } from '../state/page.ts'
import type { DownloadTarget } from './download-dialog.tsx'

export const canDownload = page.event.allow_downloads && !page.event.hidden_until_reveal

export const openDownload = (target: DownloadTarget): Promise<void> =>
  openDialog(async () => (await import('./download-dialog.tsx')).DownloadDialog, { target })
