import { Link } from '@tanstack/react-router'
import { translator } from '../app/language.ts'
import { buttonClass } from './button.tsx'
import { Empty, Page } from './page.tsx'

const t = translator('app')

export const NotFound = () => (
  <Page title={t('notFound')}>
    <Empty title={t('notFoundText')}>
      <Link to="/" className={buttonClass('primary')}>
        {t('toDashboard')}
      </Link>
    </Empty>
  </Page>
)
