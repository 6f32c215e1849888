import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

type SigningEvent = { id: number; access_key: string }

/** `expiresAt`: epoch seconds. */
export type SignedPicture = { photoId: number; widthPx: number; expiresAt: number }

/**
 * The key of an event depends on its access key, so every change that ends the sessions of its guests also ends its
 * signatures. It also depends on the secret, because guests can read the access key in their session tokens.
 */
export function createPictureSignatures(jwtSecret: string) {
  const secret = createSecretKey(createHmac('sha256', jwtSecret).update('signed pictures').digest())
  const keyOf = ({ id, access_key }: SigningEvent) =>
    createSecretKey(createHmac('sha256', secret).update(`${id}.${access_key}`).digest())
  const signWith = (key: KeyObject, { photoId, widthPx, expiresAt }: SignedPicture) =>
    createHmac('sha256', key).update(`${photoId}.${widthPx}.${expiresAt}`).digest('base64url')

  return {
    /** Returns the function that signs the pictures of the event: 43 characters, safe in a path. */
    signerOf(event: SigningEvent): (picture: SignedPicture) => string {
      const key = keyOf(event)
      return (picture) => signWith(key, picture)
    },

    /** Compares in constant time. Does not check the expiry. */
    isValid(event: SigningEvent, picture: SignedPicture, signature: string): boolean {
      // Compares texts, not bytes, because several texts decode to the same bytes.
      const given = Buffer.from(signature)
      const expected = Buffer.from(signWith(keyOf(event), picture))
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
