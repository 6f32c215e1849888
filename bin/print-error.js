/** Prints lines with control characters as escapes, like `server/commands/print.ts`, which is not loaded yet. */
export function printError(text) {
  for (const line of text.split('\n')) {
    console.error(
      line.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (one) => {
        const code = one.charCodeAt(0).toString(16)
        return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code}`
      }),
    )
  }
}
