// One wallet as poster, worker and arbitrator, on both markets.
import { type Address, isAddress, isSameAddress, markets, parseAddress } from '@svc/sdk/domain';
import { Hex, WalletName } from '../components/Hex.tsx';
import { Identicon } from '../components/Identicon.tsx';
import { marketNames, PageHead } from '../components/MarketHeader.tsx';
import { BackLink, Link, useSearch } from '../components/navigation.tsx';
import { GatewayOnly, Loading, lazyPart, QueryView } from '../components/QueryView.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { shorten } from '../data/format.ts';
import { useEntry } from '../data/gateway.ts';
import { useListings } from '../data/listings.ts';
import { maxListed, showCount, useBothMarkets, useCount, useTasksOf } from '../data/market.ts';
import { views } from '../data/pageList.ts';
import { useOwnName, useProfile } from '../data/profiles.ts';
import { useTitle } from '../data/tabTitle.ts';
import { ConnectFirst, useWallet } from '../wallet/useWallet.tsx';
import { ProfileCard } from './agent/ProfileCard.tsx';
import { ProfileTasks } from './agent/ProfileTasks.tsx';
import { ArbitratorCards, ScoreCards } from './agent/RecordCards.tsx';
import { RoleCard } from './agent/RoleCard.tsx';

/** A separate chunk: few readers write. */
const ProfileEditor = lazyPart(
  async () => (await import('./agent/ProfileEditor.tsx')).ProfileEditor,
  <Loading what="the form" shape="form" />,
);

export function AgentPage() {
  const search = useSearch();
  const own = useWallet()?.address;
  const asked = search.get('address') ?? (search.has('edit') ? own : undefined);
  if (search.has('edit') && !isAddress(asked))
    return <ConnectFirst>Connect a wallet to write its profile.</ConnectFirst>;
  if (!isAddress(asked))
    return (
      <p className="notice">
        The address of this page must end with <code>?address=0x…</code>, the address of a wallet. The page{' '}
        <a href="/leaderboard.html">People</a> lists wallets with a record.
      </p>
    );
  const address = parseAddress(asked);
  const isOwn = own !== undefined && isSameAddress(own, address);
  return search.has('edit') && isOwn ? <EditProfile address={address} /> : <Profile address={address} />;
}

function EditProfile({ address }: { address: Address }) {
  return (
    <>
      <BackLink href={`/agent.html?address=${address}`}>Your profile as others see it</BackLink>
      <PageHead title="Your profile" lead="Posters find you by it, and read it before they hire you." />
      <GatewayOnly what="the profile">
        <QueryView query={useProfile(address)} what="your profile" shape="form">
          {(known) => <ProfileEditor address={address} known={known} />}
        </QueryView>
      </GatewayOnly>
    </>
  );
}

function Profile({ address }: { address: Address }) {
  const own = useWallet()?.address;
  const isOwn = own !== undefined && isSameAddress(own, address);
  const posted = useRole('poster', address);
  const worked = useRole('worker', address);
  const isArbitrator = useIsArbitrator(address);
  const profile = useProfile(address).data?.profile ?? null;
  const words = profile?.document ?? null;
  const name = useOwnName(address)?.name;
  useTitle(`${name === undefined ? '' : `${name} `}${shorten(address)}`, views.agent.heading);
  return (
    <>
      <header className="pagehead profile">
        <Identicon address={address} />
        <div>
          <h1>
            <WalletName address={address} /> <Hex value={address} name="Wallet" />
          </h1>
          {words !== null && words.headline !== '' && (
            <p className="headline" dir="auto">
              {words.headline}
            </p>
          )}
          <p className="lead">
            {isOwn ? 'This is your profile, as everyone sees it. ' : ''}
            {describeRoles(posted.count, worked.count, isArbitrator)}
          </p>
        </div>
        <div className="stack tight profilelinks">
          {isOwn && (
            <p className="row">
              <Link className="button" data-is="main" href={`/agent.html?address=${address}&edit=1`}>
                {words === null ? 'Write your profile' : 'Edit your profile'}
              </Link>
            </p>
          )}
          {!isOwn && (
            <p className="row">
              <a className="button" href={`/messages.html?to=${address}&propose=1`}>
                Offer work
              </a>
              <a className="button" href={`/messages.html?to=${address}`}>
                Send a message
              </a>
            </p>
          )}
          <p className="small">
            On the boards:{' '}
            {markets.map((market) => (
              <a key={market} href={`/market.html?market=${market}&view=own&wallet=${address}`}>
                {marketNames[market]}
              </a>
            ))}
          </p>
        </div>
      </header>
      <div className="taskgrid" data-is="task">
        <div className="stack">
          {profile?.withheld != null && (
            <p className="notice">The operator does not show this profile: {profile.withheld}</p>
          )}
          {words !== null && <ProfileCard address={address} words={words} canOffer={!isOwn} />}
          {own !== undefined && !isOwn && <InviteLinks own={own} to={address} />}
          <RoleCard side="poster" address={address} {...posted} />
          <RoleCard side="worker" address={address} {...worked} />
          <ArbitratorCards address={address} />
          <ProfileTasks posted={posted.query.data} worked={worked.query.data} />
        </div>
        <aside className="stack" aria-label="Score and bonds">
          <ScoreCards address={address} />
        </aside>
      </div>
    </>
  );
}

/** The reader's own live listings, each with a way to invite the wallet of the profile to it. */
function InviteLinks({ own, to }: { own: Address; to: Address }) {
  const listings = useListings({ poster: own }).data ?? [];
  if (listings.length === 0) return null;
  return (
    <Sheet title="Invite to a listing of yours" note="a message; it costs nothing">
      <ul className="stack">
        {listings.map(({ id, document }) => {
          const title = document?.task.title ?? id;
          const text = `I invite you to propose for my listing “${title}”: ${location.origin}/market.html?listing=${id}`;
          const query = new URLSearchParams({ to, about: id, text });
          return (
            <li key={id} className="row">
              <span dir="auto">{title}</span>
              <a className="button" href={`/messages.html?${query}`} aria-label={`Invite to ${title}`}>
                Invite
              </a>
            </li>
          );
        })}
      </ul>
    </Sheet>
  );
}

/** The newest tasks of a wallet in a role, and how many it has in all. */
function useRole(role: 'poster' | 'worker', address: Address) {
  const [standard, micro] = [useTasksOf(role, 'standard', address), useTasksOf(role, 'micro', address)];
  const query = useBothMarkets(standard, micro);
  const isCut = [standard, micro].some(({ data = [] }) => data.length >= maxListed);
  const counted = useCount(isCut ? markets.map((market) => ({ market, list: role, address })) : []);
  return { query, count: isCut ? counted : query.data?.length };
}

/** Whether it has a bond on one of the markets. */
function useIsArbitrator(address: Address): boolean {
  const standard = useEntry('verifiers', 'standard', address);
  const micro = useEntry('verifiers', 'micro', address);
  return standard.data != null || micro.data != null;
}

/** Undefined until it is known, null where there are too many to count. */
type Count = number | null | undefined;

function describeRoles(posted: Count, worked: Count, isArbitrator: boolean): string {
  if (posted === undefined || worked === undefined) return views.agent.lead;
  const roles = [
    posted !== 0 && `posted ${nameCount(posted)}`,
    worked !== 0 && `worked on ${nameCount(worked)}`,
    isArbitrator && 'decides disputes',
  ].filter((text) => text !== false);
  return roles.length === 0
    ? 'This wallet has done nothing here yet. That says nothing about its owner.'
    : `It ${roles.join(' and ')}.`;
}

function nameCount(tasks: number | null): string {
  return tasks === 1 ? '1 task' : `${showCount(tasks)} tasks`;
}
