/** Returns whether the text was copied. Uses a text area if `navigator.clipboard` fails or is missing (without TLS). */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.style.position = 'fixed'
    area.style.opacity = '0'
    // A dialog traps the focus, so the text area must be inside it.
    const { activeElement } = document
    const parent = activeElement?.closest('dialog') ?? activeElement?.parentElement ?? document.body
    parent.append(area)
    area.select()
    const isDone = document.execCommand('copy')
    area.remove()
    if (activeElement instanceof HTMLElement) activeElement.focus()
    return isDone
  }
}
