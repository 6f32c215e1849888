import { copyText } from '../../components/copy-button.tsx'

/** Safari allows copying only within a click, so it gets the promise immediately. Throws what the promise throws. */
export async function copyWhenReady(text: Promise<string>): Promise<boolean> {
  if (typeof ClipboardItem !== 'undefined' && navigator.clipboard?.write) {
    try {
      const blob = text.then((words) => new Blob([words], { type: 'text/plain' }))
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
      return true
    } catch {
      // Not supported here: copies the text when it is available.
    }
  }
  return copyText(await text)
}
