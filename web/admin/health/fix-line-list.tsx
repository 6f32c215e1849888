import './fix-line-list.css'
import { translator } from '../app/language.ts'
import { IconButton } from '../components/button.tsx'
import { copyText } from '../components/copy-button.tsx'
import { showNotice } from '../components/notices.tsx'
import type { FixLine } from './fix-lines.ts'

const t = translator('health')

export const FixLines = ({ lines }: { lines: readonly FixLine[] }) => (
  <dl className="health-lines">
    {lines.map(({ where, line }) => (
      <div key={where + line}>
        <dt>{t(`where_${where}`)}</dt>
        <dd>
          <code>{line}</code>
          <IconButton icon="copy" label={t('copyLine', { line })} onClick={() => void copyLine(line)} />
        </dd>
      </div>
    ))}
  </dl>
)

async function copyLine(line: string): Promise<void> {
  if (await copyText(line)) showNotice(t('lineCopied'))
  else showNotice(t('lineNotCopied'), { isAlarm: true })
}
