/** The password of the last sign-in, for the page that changes it. Only in memory, until the page has used it. */
let typed: string | null = null

export const rememberTypedPassword = (password: string): void => {
  typed = password
}

/** Returns null after a reload. */
export const getTypedPassword = (): string | null => typed

export const forgetTypedPassword = (): void => {
  typed = null
}
