import { Link } from '@tanstack/react-router'
import { buttonClass } from '../parts/button.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { sayIn } from './language.ts'

const say = sayIn('desk')

export const NotFound = () => (
  <Page title={say('notFound')}>
    <Empty title={say('notFoundText')}>
      <Link to="/" className={buttonClass('primary')}>
        {say('toDashboard')}
      </Link>
    </Empty>
  </Page>
)
