import './jump-sheet.css'
import { groupName } from '../grid/group-heading.tsx'
import { revealGroup } from '../grid/reveal-tile.ts'
import { Sheet } from '../parts/sheet.tsx'
import { whenLayersLeft } from '../state/history-layers.ts'
import { t } from '../state/page.ts'
import { groupStarts } from '../state/photos.ts'

/** Lists the categories of the grid; a choice closes the list and scrolls to the heading. */
export function JumpSheet({ onClose }: { onClose: () => void }) {
  return (
    <Sheet title={t('jumpTo')} onClose={onClose}>
      <ul class="jumps">
        {groupStarts.value.map((group) => (
          <li key={group.category_id}>
            <button
              type="button"
              onClick={() => {
                onClose()
                whenLayersLeft(() => revealGroup(group))
              }}
            >
              <bdi>{groupName(group)}</bdi>
              <span>{group.count}</span>
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
