import { useBlocker } from '@tanstack/react-router'
import { sayIn } from '../desk/language.ts'
import { confirm } from './confirm.tsx'

const say = sayIn('parts')

/** Asks before another page replaces one with unsaved changes. */
export function useAskBeforeLeaving(isUnsaved: boolean): void {
  useBlocker({
    disabled: !isUnsaved,
    enableBeforeUnload: isUnsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      return !(await confirm({ title: say('leaveTitle'), text: say('leaveText'), action: say('leave') }))
    },
  })
}
