// An address, hash or id: shortened, copied by a click, in full in the title and the accessible name.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../data/client.ts';
import { copyText } from '../data/copyText.ts';
import { shorten } from '../data/format.ts';
import { useSiteConfig } from '../data/market.ts';
import { useOwnName } from '../data/profiles.ts';
import { Identicon } from './Identicon.tsx';
import { Link } from './navigation.tsx';

/** `name` says what the value is, for screen readers; `href` is the page about it. */
type HexProps = { value: string; name: string; href?: string | undefined };

export function Hex({ value, name, href }: HexProps) {
  const [isCopied, copy] = useCopying();
  const shown = isCopied === null ? shorten(value) : isCopied ? 'copied' : 'not allowed';
  return (
    <span className="copy">
      {href !== undefined && (
        <Link className="mono" href={href} title={value}>
          {shown}
        </Link>
      )}
      <button
        type="button"
        onClick={() => void copy(value)}
        title={value}
        aria-label={`${href === undefined || isCopied !== null ? `${shown}, ` : ''}${name} ${value}, copy`}
      >
        {href === undefined ? shown : <CopyIcon />}
      </button>
    </span>
  );
}

/** All of an address where money is signed: groups of four, the ends marked; copied as one string. */
export function FullAddress({ address }: { address: string }) {
  const [head = '', ...groups] = address.match(/^0x.{4}|.{4}/g) ?? [address];
  return (
    <span className="addr" translate="no">
      <span className="end">{head}</span>
      {groups.map((group, at) => {
        const isLast = at === groups.length - 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two groups may be the same
          <span key={at} className={isLast ? 'end' : undefined}>
            {group}
          </span>
        );
      })}
    </span>
  );
}

/** Whether the last copy worked, for a moment after it. */
export function useCopying() {
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const copy = async (text: string) => {
    setCopied(await copyText(text));
    setTimeout(setCopied, 2_000, null);
  };
  return [isCopied, copy] as const;
}

function CopyIcon() {
  return (
    <svg viewBox="0 0 12 12" width="12" height="12" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M4.5 4.5v-3h6v6h-3m-6-3h6v6h-6z" />
    </svg>
  );
}

/** Linked to the explorer of the chain, elsewhere copied only. */
export function TransactionLink({ hash }: { hash: string }) {
  const explorer = useSiteConfig('standard').data?.explorerUrl ?? null;
  const href = explorer === null ? undefined : `${explorer}/tx/${hash}`;
  return <Hex value={hash} name="Transaction" href={href} />;
}

/**
 * What a wallet calls itself, with a mark where an older profile has a name that looks the same, and its name in the
 * registry of names. Never where money is signed: anyone can take any name.
 */
export function WalletName({ address }: { address: string }) {
  const isConfigured = useSiteConfig('standard').data?.names === true;
  const own = useOwnName(address);
  const { data } = useQuery({
    queryKey: ['wallet-name', address.toLowerCase()],
    enabled: isConfigured,
    staleTime: 600_000,
    queryFn: ({ signal }) => client.walletName(address, { signal }),
  });
  return (
    <>
      {own !== null && (
        <bdi className="walletname" title="The wallet calls itself so. Names prove nothing.">
          {own.name}
        </bdi>
      )}
      {own?.looksLike != null && (
        <a
          className="lookalike small"
          href={`/agent.html?address=${own.looksLike}`}
          title={`The wallet ${own.looksLike} had a name that looks like this one before.`}
        >
          ⚠ not {shorten(own.looksLike)}
        </a>
      )}
      {data?.name != null && (
        <bdi
          className="registryname quiet small"
          title="From the registry of names; it leads back to this wallet."
        >
          {data.name}
        </bdi>
      )}
    </>
  );
}

type WalletLinkProps = { address: string; name?: string; hasName?: boolean };

/** A wallet with its picture and what it calls itself, linked to its profile. */
export function WalletLink({ address, name = 'Wallet', hasName = true }: WalletLinkProps) {
  return (
    <span className="person">
      <Identicon address={address} size="s" />
      {hasName && <WalletName address={address} />}
      <Hex value={address} name={name} href={`/agent.html?address=${address}`} />
    </span>
  );
}
