import { categoryName } from '../../../contract/category-names.ts'
import {
  type GroupStart,
  groupHeadingId,
  groupHeadingRem,
  isLongGroupName,
  type PhotoGroup,
} from '../../../contract/gallery/photo-groups.ts'
import { t } from '../state/page.ts'
import { categories } from '../state/photos.ts'

export function groupName({ category_id, name }: PhotoGroup): string {
  const category = categories.value.find(({ id }) => id === category_id)
  return category ? categoryName(t, category) : (name ?? t('otherPhotos'))
}

export const headingHeightPx = (): number =>
  groupHeadingRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** The heading of a category. Its first markup must match server/gallery/pages/photo-tiles.ts. */
export function GroupHeading({ group, top, height }: { group: GroupStart; top: number | null; height: number }) {
  const name = groupName(group)
  return (
    <li
      class={`group${isLongGroupName(name) ? ' long' : ''}`}
      {...(top !== null && { style: { top: `${top}px`, height: `${height}px` } })}
    >
      <h2 id={groupHeadingId(group)} tabIndex={-1}>
        <bdi>{name}</bdi>
        <span>{group.count}</span>
      </h2>
    </li>
  )
}
