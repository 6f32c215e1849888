import { useState } from 'react'
import { translator } from '../app/language.ts'
import { Button, type ButtonKind } from './button.tsx'
import { showNotice } from './notices.tsx'

const t = translator('parts')

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
    const parent = document.activeElement?.parentElement ?? document.body
    parent.append(area)
    area.select()
    const isDone = document.execCommand('copy')
    area.remove()
    return isDone
  }
}

type Props = { text: string; label?: string; kind?: ButtonKind }

export function CopyButton({ text, label = t('copy'), kind = 'plain' }: Props) {
  const [isCopied, setCopied] = useState(false)
  const onClick = async () => {
    if (!(await copyText(text))) return showNotice(t('notCopied'), { isAlarm: true })
    showNotice(t('copied'))
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <Button kind={kind} icon={isCopied ? 'check' : 'copy'} onClick={onClick}>
      {label}
    </Button>
  )
}
