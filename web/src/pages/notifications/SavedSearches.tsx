// Saved searches: the one that the address names, to be saved, and those that are.
import { describeSearch, splitSearch, toBoardQuery } from '@svc/sdk/internal/domain/savedSearches';
import { Button, Failure } from '../../components/Form.tsx';
import { changeSearch, Link, useSearch } from '../../components/navigation.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import type { SavedSearch, settingsOf } from '../../data/notificationRequests.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';

type Props = {
  readonly ask: Pick<ReturnType<typeof settingsOf>, 'addSearch' | 'removeSearch'>;
  readonly searches: readonly SavedSearch[];
  readonly onChange: () => void;
};

export function SavedSearches({ ask, searches, onChange }: Props) {
  const given = useSearch().get('search');
  const asked = (given === null ? [] : splitSearch(given)).filter((one) =>
    searches.every(({ query }) => query !== one),
  );
  const saving = useAttempt(async () => {
    for (const query of asked) await ask.addSearch(query);
    changeSearch({ search: '' });
    onChange();
  });
  return (
    <Sheet title="Saved searches">
      <p className="small quiet">
        New open tasks and listings that fit come in one summary a day for all of your searches, the first
        within 15 minutes.
      </p>
      {asked.length > 0 && (
        <div className="row">
          <Button is="main" run={saving} busyLabel="Saving…">
            Save this search
          </Button>
          <span dir="auto">{asked.map(describeSearch).join('; ')}</span>
        </div>
      )}
      <Failure text={saving.failure} className="error" />
      {searches.length === 0 && asked.length === 0 && (
        <p>
          None yet. Filter the <Link href="/market.html">board</Link>, then choose <b>Save this search</b>{' '}
          there.
        </p>
      )}
      <ul className="stack">
        {searches.map((search) => (
          <SearchRow key={search.id} ask={ask} search={search} onChange={onChange} />
        ))}
      </ul>
    </Sheet>
  );
}

function SearchRow({ ask, search, onChange }: Omit<Props, 'searches'> & { search: SavedSearch }) {
  const { id, query } = search;
  const removing = useAttempt(() => ask.removeSearch(id).then(onChange));
  return (
    <li className="row">
      <Link href={`/market.html?${toBoardQuery(query)}`} dir="auto">
        {describeSearch(query)}
      </Link>
      <Button run={removing} busyLabel="Removing…">
        Remove this search
      </Button>
      <Failure text={removing.failure} className="error" />
    </li>
  );
}
