/** The tasks of one status. More are read by cursor as soon as the end is in sight. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Card, columnOf, type Filter, type Status, STATUSES } from './api.js';

const TITLES: Record<Status, string> = { todo: 'To do', doing: 'Doing', done: 'Done' };

interface Props {
  readonly status: Status;
  readonly filter: Filter;
  readonly onMove: (card: Card, to: Status) => void;
  readonly onOpen: (card: Card) => void;
}

export function Column({ status, filter, onMove, onOpen }: Props) {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(columnOf(status, filter));
  const [isOver, setOver] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  const cards = data?.pages.flatMap((page) => page.data) ?? [];

  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting && hasNextPage && !isFetching && !error) void fetchNextPage();
    });
    observer.observe(end.current!);

    return () => observer.disconnect();
  }, [hasNextPage, isFetching, error, fetchNextPage]);

  return (
    <section
      aria-label={TITLES[status]}
      className={isOver ? 'over' : ''}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const card = JSON.parse(event.dataTransfer.getData('text/plain')) as Card;
        if (card.status !== status) onMove(card, status);
      }}
    >
      <h2>{TITLES[status]}</h2>
      <div className="cards">
        {cards.map((card) => (
          <Task key={card.id} card={card} onMove={onMove} onOpen={onOpen} />
        ))}
        {error && (
          <p role="alert">
            {error.message} <button onClick={() => void refetch()}>Try again</button>
          </p>
        )}
        {data && cards.length === 0 && <p className="empty">No tasks</p>}
        <div ref={end} className="end">
          {isFetching && 'Reading …'}
        </div>
      </div>
    </section>
  );
}

function Task({ card, onMove, onOpen }: Pick<Props, 'onMove' | 'onOpen'> & { readonly card: Card }) {
  const at = STATUSES.indexOf(card.status);
  const [before, after] = [STATUSES[at - 1], STATUSES[at + 1]];

  return (
    <article
      draggable
      aria-label={card.title}
      onDragStart={(event) => event.dataTransfer.setData('text/plain', JSON.stringify(card))}
    >
      <button className="title" onClick={() => onOpen(card)}>
        {card.title}
      </button>
      <footer>
        <span className="project">{card.project?.key}</span>
        {card.labels?.map((label) => (
          <span key={label} className="label">
            {label}
          </span>
        ))}
        <span className="space" />
        {card.dueOn && <time>{card.dueOn}</time>}
        <span>{card.assignee?.name}</span>
      </footer>
      <nav>
        {before && (
          <button aria-label={`Move to ${TITLES[before]}`} onClick={() => onMove(card, before)}>
            ←
          </button>
        )}
        {after && (
          <button aria-label={`Move to ${TITLES[after]}`} onClick={() => onMove(card, after)}>
            →
          </button>
        )}
      </nav>
    </article>
  );
}
