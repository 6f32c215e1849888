import fc from 'fast-check'
import { expect, test } from 'vitest'
import { colorLabels } from '../../../contract/marks.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createMarkableGallery, createMarking } from '../../support/fixtures/marks.ts'
import { isLongRun } from '../../support/run/long-run.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin } = service

const body = fc.oneof(
  fc.record({ feedback_type: fc.constant('rating'), rating: fc.integer({ min: 0, max: 5 }) }),
  fc.record({
    feedback_type: fc.constant('color_label'),
    color_label: fc.option(fc.constantFrom(...colorLabels), { freq: 4 }),
  }),
  fc.record({ feedback_type: fc.constantFrom('like', 'favorite') }),
  fc.record({ feedback_type: fc.constant('comment'), comment_text: fc.constantFrom('a', 'b') }),
)
/** A guest (one of three) gives feedback to a photo (one of two), or feedback is moderated, deleted or taken back. */
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ action: fc.constant('give' as const), by: fc.nat(2), photo: fc.nat(1), body }) },
  {
    weight: 2,
    arbitrary: fc.record({ action: fc.constantFrom('approve', 'hide', 'delete', 'take back'), at: fc.nat(50) }),
  },
)

const loadCounters = (photoId: number) =>
  readDatabase(service, (stored) =>
    stored
      .prepare(
        `select rating_sum, rating_count, average_hundredths, label_mask, ${colorLabels.join(', ')},
           like_count, favorite_count, comment_count, feedback_count from photo_marks where photo_id = ?`,
      )
      .get(photoId),
  )

/** Computes the counters independently of the service. */
const computeCounters = (photoId: number) =>
  readDatabase(service, (stored) => {
    const rows = stored
      .prepare('select kind, rating, color_label, guest_id from feedback where photo_id = ? and is_visible = 1')
      .all(photoId) as Array<{ kind: string; rating: number | null; color_label: string | null; guest_id: string }>
    const ratings = rows.flatMap(({ rating }) => rating ?? [])
    const countOfKind = (wanted: string) => rows.filter(({ kind }) => kind === wanted).length
    const colors = colorLabels.map((color) => rows.filter(({ color_label }) => color_label === color).length)
    const sum = ratings.reduce((total, rating) => total + rating, 0)
    return {
      rating_sum: sum,
      rating_count: ratings.length,
      average_hundredths: ratings.length === 0 ? 0 : Math.round((100 * sum) / ratings.length),
      label_mask: colors.reduce((mask, count, index) => (count > 0 ? mask + 2 ** index : mask), 0),
      ...Object.fromEntries(colorLabels.map((color, index) => [color, colors[index]])),
      like_count: countOfKind('like'),
      favorite_count: countOfKind('favorite'),
      comment_count: countOfKind('comment'),
      feedback_count: new Set(rows.map(({ guest_id }) => guest_id)).size,
    }
  })

test.each([
  ['one after another', false],
  ['all at once', true],
])(
  'the counters equal a recount after any operations of guests and operators, %s',
  {
    tags: 'database',
  },
  async (_how, isConcurrent) => {
    for (const operations of fc.sample(
      fc.array(operation, { minLength: 30, maxLength: 60, size: 'max' }),
      isLongRun ? 6 : 2,
    )) {
      const { event, ids, guests } = await createMarkableGallery(service)
      const { give, feedbackPath } = createMarking(service, () => ({ event, ids }))
      const given: Array<{ id: number; by: number; photo: number }> = []
      const runOperation = async (one: (typeof operations)[number]): Promise<number> => {
        if (one.action === 'give') {
          const answer = await give(guests[one.by] ?? admin, one.body, ids[one.photo])
          if (answer.body.created) given.push({ id: answer.body.id, by: one.by, photo: one.photo })
          return answer.status
        }
        const target = given[one.at % (given.length || 1)]
        if (!target) return 404
        const path = `/api/admin/feedback/${target.id}`
        if (one.action === 'delete') return (await admin.delete(path)).status
        if (one.action !== 'take back') return (await admin.put(`${path}/${one.action}`, {})).status
        return (await guests[target.by]?.delete(`${feedbackPath(ids[target.photo])}/${target.id}`))?.status ?? 404
      }
      const statuses: number[] = []
      if (isConcurrent) statuses.push(...(await Promise.all(operations.map(runOperation))))
      else for (const one of operations) statuses.push(await runOperation(one))
      expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([])
      for (const id of ids) expect(loadCounters(id) ?? computeCounters(id)).toEqual(computeCounters(id))
    }
  },
)
