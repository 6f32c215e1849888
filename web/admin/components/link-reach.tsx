import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type LinkReach, linkReach } from '../../../contract/link-reach.ts'
import { translator } from '../app/language.ts'
import { useMe } from '../app/me.ts'

const t = translator('parts')

/** Returns why the receivers of a link may not open it, and what helps; undefined if anybody can open it. */
export function describeReach(link: string): ReactNode {
  const reach = linkReach(link)
  return reach === 'internet' ? undefined : <LocalLink reach={reach} />
}

/** What `describeReach` returns, as a paragraph. */
export function ReachNote({ link }: { link: string }) {
  const text = describeReach(link)
  return text && <p className="quiet-text">{text}</p>
}

function LocalLink({ reach }: { reach: Exclude<LinkReach, 'internet'> }) {
  const isSuperAdmin = useMe().role === 'super_admin'
  const whereItWorks = reach === 'computer' ? t('linkOnlyHere') : t('linkOnlyInNetwork')
  if (!isSuperAdmin) return `${whereItWorks} ${t('askForPublicAddress')}`
  return (
    <>
      {whereItWorks} {t('needsPublicAddress')}{' '}
      <Link to="/settings/$group" params={{ group: 'mail' }}>
        {t('setPublicAddress')}
      </Link>
    </>
  )
}
