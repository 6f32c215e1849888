import type { CategoryRecord } from '../../../contract/categories.ts'
import { categoryName } from '../../../contract/category-names.ts'
import { translator } from '../app/language.ts'

const t = translator('parts')

/** Returns the name to show, which is not always the stored name (`categoryName`). */
export const showCategoryName = (category: Pick<CategoryRecord, 'name' | 'is_global'>): string =>
  categoryName(t, category)
