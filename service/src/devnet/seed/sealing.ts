// Seals the files of private tasks of the story. The keys come from the story, so that the chain and the store, which are
// filled apart, agree on the sealed bytes; every key of this chain is public anyway.
import { createCipheriv, hash } from 'node:crypto';
import type { TaskStory } from './story.ts';

export type SealedContent = {
  /** IV, ciphertext and tag, as sealFile of the SDK writes them. */
  readonly content: Uint8Array;
  readonly key: `0x${string}`;
  readonly sealed: { readonly sha256: string; readonly bytes: number };
};

const ivBytes = 12;

export function sealContent(story: TaskStory, name: string, plain: Uint8Array): SealedContent {
  const derive = (use: string) => hash('sha256', `${story.key}/${name}/${use}`, 'buffer');
  const [key, iv] = [derive('key'), derive('iv').subarray(0, ivBytes)];
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const content = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return {
    content,
    key: `0x${key.toString('hex')}`,
    sealed: { sha256: hash('sha256', content), bytes: content.length },
  };
}
