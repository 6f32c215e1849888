/** Headers of a form on a page of another site. Browsers send `Sec-Fetch-Site` only over HTTPS and on the same machine. */
export const foreignForms: Array<Record<string, string>> = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://other.example' },
  { origin: 'https://evil.example' },
  // The origin that a page without its own referrer policy sends.
  { origin: 'null' },
]

/** Headers of a form on a page of the service at this address. */
export const ownForms = (url: string): Array<Record<string, string>> => [
  {},
  { origin: url },
  { 'sec-fetch-site': 'same-origin', origin: 'null' },
]
