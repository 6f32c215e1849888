import { copy } from '../parts/copy-button.tsx'

/**
 * Puts onto the clipboard what is still on its way. Some browsers let a page copy only in the click itself: these are
 * given a promise there and then. Throws what the promise throws.
 */
export async function copyLater(text: Promise<string>): Promise<boolean> {
  if (typeof ClipboardItem !== 'undefined' && navigator.clipboard?.write) {
    try {
      const blob = text.then((words) => new Blob([words], { type: 'text/plain' }))
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
      return true
    } catch {
      // Not here: once more when it has come.
    }
  }
  return copy(await text)
}
