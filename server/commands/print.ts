/** Characters that control a terminal, and those that change the order of the text around them. */
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
/** JSON has line ends between its values. */
const controlsInJson = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/gu

const toHex = (character: string, digits: number): string => character.charCodeAt(0).toString(16).padStart(digits, '0')

/**
 * Returns the text with control characters as escapes, such as `\x1b` or `\x0a`. Names of files and answers of services can
 * have any characters.
 */
export const showControls = (text: string): string =>
  text.replaceAll(controls, (one) => (one < '\u0100' ? `\\x${toHex(one, 2)}` : `\\u${toHex(one, 4)}`))

/** Prints each text as one line on the standard output. */
export function print(...lines: readonly string[]): void {
  for (const line of lines) console.log(showControls(line))
}

/** Prints each text as one line on the standard error output. */
export function printError(...lines: readonly string[]): void {
  for (const line of lines) console.error(showControls(line))
}

/** Prints JSON for programs. Its values stay the same, since control characters get the escapes of JSON. */
export function printJson(value: unknown, indent?: number): void {
  console.log(JSON.stringify(value, null, indent).replaceAll(controlsInJson, (one) => `\\u${toHex(one, 4)}`))
}

/** Prints a question on the standard error output, without a line end. */
export function printQuestion(text: string): void {
  process.stderr.write(showControls(text))
}
