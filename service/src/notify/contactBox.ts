// What the operator's contact key does: addresses are encrypted, compared by a keyed hash, and links are made that nobody
// can guess. Without the key a copy of the database names nobody.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

export type ContactBox = ReturnType<typeof createContactBox>;

/** What a link allows, beside the channel that it is about. */
export type LinkPurpose = 'confirm' | 'unsubscribe';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** `key` has 32 bytes, as hexadecimal digits. */
export function createContactBox(key: string) {
  const secret = Buffer.from(key.replace(/^0x/, ''), 'hex');
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `svc contacts: ${use}`, 32));
  const [sealKey, hashKey, linkKey] = [derive('addresses'), derive('hashes'), derive('links')];
  const mac = (by: Buffer, text: string) => createHmac('sha256', by).update(text).digest('base64url');
  const sign = (purpose: LinkPurpose, subject: string) => mac(linkKey, `${purpose}:${subject}`);

  return {
    /** Is kept in the database, so that another key is noticed before it does harm. */
    fingerprint: derive('fingerprint').toString('base64url'),

    seal: (text: string): string => {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, sealKey, nonce);
      const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64');
    },

    open: (sealed: string): string => {
      const bytes = Buffer.from(sealed, 'base64');
      const opening = createDecipheriv(cipher, sealKey, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return opening.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + opening.final('utf8');
    },

    hash: (address: string): string => mac(hashKey, address),

    /** For a link. The hash of the address goes with it, so that its owner can refuse mail after the channel is gone. */
    writeLink: (purpose: LinkPurpose, channelId: string, addressHash: string): string => {
      const subject = `${channelId}.${addressHash}`;
      return `${subject}.${sign(purpose, subject)}`;
    },

    /** Null for a link that was not made here. */
    readLink: (purpose: LinkPurpose, token: string): { channelId: string; addressHash: string } | null => {
      const [channelId = '', addressHash = '', given = ''] = token.split('.');
      const expected = Buffer.from(sign(purpose, `${channelId}.${addressHash}`));
      const proof = Buffer.from(given);
      const isGenuine = proof.length === expected.length && timingSafeEqual(proof, expected);
      return isGenuine ? { channelId, addressHash } : null;
    },
  };
}
