/** Throws unless all segments are plain, so that no key leads out of the storage. */
export function assertStorageKey(key: string): string {
  const isPlain = key.split('/').every((segment) => /^[a-z0-9_][a-z0-9_.-]*$/i.test(segment))
  if (!isPlain) throw new Error('A storage key must be made of plain segments')
  return key
}
