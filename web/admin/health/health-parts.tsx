import './fix-line-list.css'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { copyText } from '../../shared/copy-text.ts'
import { translator } from '../app/language.ts'
import { useMe } from '../app/me.ts'
import { buttonClass, IconButton } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { showNotice } from '../components/notices.tsx'
import type { FixLine } from './fix-lines.ts'

const t = translator('health')

/** Only for a super_admin, who may open these settings. */
export const MailSettingsLink = () =>
  useMe().role === 'super_admin' && (
    <Link to="/settings/$group" params={{ group: 'mail' }} className={buttonClass()}>
      {t('toMailSettings')}
    </Link>
  )

const icons = { ok: 'check', warn: 'info', fail: 'warning' } as const

export const StatusBadge = ({ status }: { status: keyof typeof icons }) => (
  <span className={`health-mark ${status}`}>
    <Icon name={icons[status]} />
    {t(`status_${status}`)}
  </span>
)

/** Shows what is in backticks, such as variables and commands, as code. */
export const TextWithCode = ({ text }: { text: string }) => (
  <>
    {text.split('`').map((part, index) => {
      const key = `${index} ${part}`
      return index % 2 === 1 ? <code key={key}>{part}</code> : <Fragment key={key}>{part}</Fragment>
    })}
  </>
)

/** Only for a super_admin: others cannot change the configuration. */
export const FixLines = ({ lines }: { lines: readonly FixLine[] }) =>
  useMe().role === 'super_admin' && (
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
