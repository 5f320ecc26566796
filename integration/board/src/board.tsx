/** Three columns of tasks, what they are limited to, and what is told of a move that failed. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { type Card, exportTasks, type Filter, members, projects, STATUSES, tasks } from './api.js';
import { Column } from './column.js';
import { Conflict } from './conflict.js';
import { Details } from './details.js';
import { useMove } from './use-move.js';

interface Props {
  readonly member: string;
  readonly onSignOut: () => void;
}

export function Board({ member, onSignOut }: Props) {
  const [filter, setFilter] = useState<Filter>({ projectId: undefined, text: '' });
  const [opened, setOpened] = useState<Card>();
  const [notice, setNotice] = useState('');
  const asked = useDeferredValue(filter);
  const queryClient = useQueryClient();
  const me = useQuery(members.queries.one(member, (query) => query.select(['name'])));
  const all = useQuery(projects.queries.list((query) => query.select(['name']).sortBy(['name', 'ASC'])));
  const { move, conflict, dismiss } = useMove(asked, setNotice);

  const refused = me.error ?? all.error;

  const save = async () => {
    try {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await exportTasks(filter));
      link.download = 'tasks.csv';
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      setNotice(`The tasks could not be saved: ${(error as Error).message}`);
    }
  };

  return (
    <>
      <header>
        <h1>Board</h1>
        <label>
          Project
          <select
            value={filter.projectId ?? ''}
            onChange={({ target }) =>
              setFilter({ ...filter, projectId: target.value ? Number(target.value) : undefined })
            }
          >
            <option value="">All</option>
            {all.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Search
          <input
            type="search"
            value={filter.text}
            onChange={({ target }) => setFilter({ ...filter, text: target.value })}
          />
        </label>
        <button onClick={() => void save()}>Export</button>
        <span className="space" />
        <span>{me.data?.name}</span>
        <button onClick={onSignOut}>Sign out</button>
      </header>
      {(notice || refused) && (
        <p role="alert">
          {notice || refused?.message}
          <button
            onClick={() => {
              setNotice('');
              void queryClient.invalidateQueries();
            }}
          >
            Try again
          </button>
        </p>
      )}
      <main className="columns">
        {STATUSES.map((status) => (
          <Column key={status} status={status} filter={asked} onMove={move} onOpen={setOpened} />
        ))}
      </main>
      {conflict && <Conflict {...conflict} onClose={dismiss} />}
      {opened && (
        <Details
          id={opened.id}
          onClose={() => {
            setOpened(undefined);
            void queryClient.invalidateQueries({ queryKey: tasks.queries.key });
          }}
        />
      )}
    </>
  );
}
