import { translator } from '../app/language.ts'

const t = translator('settings')

/** Says that a variable sets the value, so that the app cannot change it. */
export const SetByEnvironment = ({ variable }: { variable: string }) => (
  <p className="quiet-text">
    {t('setBy')} <code>{variable}</code>
  </p>
)
