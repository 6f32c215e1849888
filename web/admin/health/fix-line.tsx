import './fix-line.css'
import { translator } from '../desk/language.ts'
import { IconButton } from '../parts/button.tsx'
import { copyText } from '../parts/copy-button.tsx'
import { showNotice } from '../parts/notices.tsx'
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
