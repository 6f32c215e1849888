import './fix-line.css'
import { sayIn } from '../desk/language.ts'
import { IconButton } from '../parts/button.tsx'
import { copy } from '../parts/copy-button.tsx'
import { tell } from '../parts/notices.tsx'
import type { FixLine } from './fix-lines.ts'

const say = sayIn('health')

export const FixLines = ({ lines }: { lines: readonly FixLine[] }) => (
  <dl className="health-lines">
    {lines.map(({ where, line }) => (
      <div key={where + line}>
        <dt>{say(`where_${where}`)}</dt>
        <dd>
          <code>{line}</code>
          <IconButton icon="copy" label={say('copyLine', { line })} onClick={() => void copyLine(line)} />
        </dd>
      </div>
    ))}
  </dl>
)

async function copyLine(line: string): Promise<void> {
  if (await copy(line)) tell(say('lineCopied'))
  else tell(say('lineNotCopied'), { isAlarm: true })
}
