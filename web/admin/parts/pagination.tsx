import { sayIn } from '../desk/language.ts'
import { Button } from './button.tsx'
import './pagination.css'

const say = sayIn('parts')

type Props = { page: number; pages: number; onPage: (page: number) => void }

export const Pagination = ({ page, pages, onPage }: Props) =>
  pages > 1 && (
    <nav className="pagination" aria-label={say('pages')}>
      <Button icon="previous" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {say('previousPage')}
      </Button>
      <span>{say('pageOf', { page, pages })}</span>
      <Button icon="next" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {say('nextPage')}
      </Button>
    </nav>
  )
