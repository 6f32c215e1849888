/** Removes characters that XML 1.0 does not allow, and spaces around the text. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .trim()

/** For attributes and elements. Line breaks and tabs are escaped, because parsers change them in attributes. */
export const escapeText = (text: string): string =>
  cleanText(text).replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
