import { tell } from '../parts/notices.tsx'
import { page, say } from '../state/page.ts'
import type { WantedDownload } from './download-dialog.tsx'

/** Whether photos may be taken home at all. */
export const mayDownload = page.event.allow_downloads && !page.event.hidden_until_reveal

/** Tells what a ZIP of these photos comes to, and offers it. */
export async function openDownload(wanted: WantedDownload): Promise<void> {
  try {
    const { showDownload } = await import('./download-dialog.tsx')
    showDownload(wanted)
  } catch {
    tell(say('failed'), { isAlarm: true })
  }
}
