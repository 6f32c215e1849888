import { Link } from '@tanstack/react-router'
import { buttonClass } from '../components/button.tsx'
import { Empty, Page } from '../components/page.tsx'
import { translator } from './language.ts'

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
