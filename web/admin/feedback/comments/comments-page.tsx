import './comments.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { translator } from '../../app/language.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { useEvent } from '../../events/event-context.tsx'
import { useGuestNames } from '../guest-names.ts'
import { LiveLine } from '../live/live-line.tsx'
import { throttle, useLive, useRecentIds } from '../live/use-live.ts'
import { NoComments } from '../no-feedback.tsx'
import { invalidateFeedback } from '../picks-query.ts'
import { ApproveAll } from './approve-all.tsx'
import { CommentCard } from './comment-card.tsx'
import { CommentsFilter } from './comments-filter.tsx'
import { type CommentsSearch, commentsQuery, parseCommentsSearch } from './comments-query.ts'

const t = translator('feedback')
const route = getRouteApi('/inside/events/$eventId/comments')

export function CommentsPage() {
  const event = useEvent()
  const search = parseCommentsSearch(route.useSearch())
  const navigate = route.useNavigate()
  const query = useQuery({ ...commentsQuery(event.id, search), placeholderData: (before) => before })
  const recentIds = useRecentComments(event.id)
  const names = useGuestNames(event.id, query.data?.feedback.some(({ guest_name }) => guest_name === null) ?? false)
  const list = useRef<HTMLUListElement>(null)
  const changeSearch = (next: CommentsSearch) =>
    navigate({ search: next, replace: true, resetScroll: next.page !== search.page })
  return (
    <div className="comments">
      {!event.is_archived && <LiveLine eventId={event.id} />}
      <div className="comments-head">
        <CommentsFilter event={event} search={search} onSearch={changeSearch} />
        <ApproveAll eventId={event.id} search={search} />
      </div>
      <Loaded query={query}>
        {({ feedback, pagination }) =>
          feedback.length === 0 ? (
            <NoComments event={event} isFiltered={Object.keys(search).length > 0} onShowAll={() => changeSearch({})} />
          ) : (
            <>
              <ul className="comment-list" ref={list} aria-label={t('comments')} tabIndex={-1}>
                {feedback.map((comment) => (
                  <CommentCard
                    key={comment.id}
                    comment={comment}
                    names={names}
                    isRecent={recentIds.has(comment.id)}
                    onFilterByPhoto={() => changeSearch({ ...search, photo: comment.photo_id, page: 1 })}
                    onFocusLost={() => list.current?.focus()}
                  />
                ))}
              </ul>
              <Pagination
                page={pagination.page}
                pages={pagination.pages}
                onPage={(page) => changeSearch({ ...search, page })}
              />
            </>
          )
        }
      </Loaded>
    </div>
  )
}

function useRecentComments(eventId: number): ReadonlySet<number> {
  const { recentIds, addRecentIds } = useRecentIds()
  const refreshSoon = useMemo(() => throttle(() => invalidateFeedback(eventId)), [eventId])
  useLive(eventId, ({ feedback, selections, hasNewName, needsReload }) => {
    const comments = feedback.filter(({ feedback_type }) => feedback_type === 'comment')
    // A selection can change the name of a guest.
    if (comments.length + selections.length === 0 && !hasNewName && !needsReload) return
    refreshSoon()
    addRecentIds(comments.filter(({ did }) => did === 'created').map(({ feedback_id }) => feedback_id))
  })
  return recentIds
}
