import { translator } from '../app/language.ts'
import { Button } from './button.tsx'
import './pagination.css'

const t = translator('parts')

type Props = { page: number; pages: number; onPage: (page: number) => void }

export const Pagination = ({ page, pages, onPage }: Props) =>
  pages > 1 && (
    <nav className="pagination" aria-label={t('pages')}>
      <Button icon="previous" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('previousPage')}
      </Button>
      <span>{t('pageOf', { page, pages })}</span>
      <Button icon="next" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t('nextPage')}
      </Button>
    </nav>
  )
