import { errorMessage } from '../components/error-messages.ts'
import { showNotice } from '../components/notices.tsx'

export const showError = (error: unknown): void => showNotice(errorMessage(error), { isAlarm: true })
