import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { translator } from '../app/language.ts'
import { buttonClass } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { Empty } from '../components/page.tsx'
import { trashedEventsQuery } from './trash/trash-queries.ts'

const t = translator('events')

type Props = { children: ReactNode; action?: ReactNode }

/** Shows `children`, the first steps, only if no events are in the trash. Otherwise `action`, and a link to the trash. */
export function NoEvents({ children, action }: Props) {
  const { data, isPending } = useQuery(trashedEventsQuery(1))
  if (isPending) return null
  const count = data?.pagination.total ?? 0
  if (count === 0) return children
  return (
    <Empty title={t('noneLeft')} text={t('noneLeftText', { count })}>
      {action}
      <Link to="/events/trash" className={buttonClass()}>
        <Icon name="trash" />
        {t('toTrash')}
      </Link>
    </Empty>
  )
}
