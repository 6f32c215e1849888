import { openOver } from '../parts/open-over.tsx'
import { page } from '../state/page.ts'
import type { WantedDownload } from './download-dialog.tsx'

/** Whether photos may be taken home at all. */
export const mayDownload = page.event.allow_downloads && !page.event.hidden_until_reveal

/** Tells what a ZIP of these photos comes to, and offers it. */
export const openDownload = (wanted: WantedDownload): Promise<void> =>
  openOver(async () => (await import('./download-dialog.tsx')).DownloadDialog, { wanted })
