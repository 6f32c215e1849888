import { openOver } from '../parts/open-over.tsx'
import { page } from '../state/page.ts'
import type { WantedDownload } from './download-dialog.tsx'

export const mayDownload = page.event.allow_downloads && !page.event.hidden_until_reveal

export const openDownload = (wanted: WantedDownload): Promise<void> =>
  openOver(async () => (await import('./download-dialog.tsx')).DownloadDialog, { wanted })
