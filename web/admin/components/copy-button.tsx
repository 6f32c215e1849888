import { useState } from 'react'
import { copyText } from '../../shared/copy-text.ts'
import { translator } from '../app/language.ts'
import { Button, type ButtonKind } from './button.tsx'
import { showNotice } from './notices.tsx'

const t = translator('parts')

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
