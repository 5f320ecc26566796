/** Moves of cards: shown at once, taken back if the server refuses them, compared if others have changed the task. */
import { CrudError } from '@nestwright/client';
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Card, columnOf, type Filter, type Page, type Status, tasks } from './api.js';
import type { ConflictProps } from './conflict.js';

interface Move {
  readonly card: Card;
  readonly to: Status;
}

type Pages = InfiniteData<Page, string>;

export function useMove(filter: Filter, tell: (notice: string) => void) {
  const queryClient = useQueryClient();
  const [conflict, setConflict] = useState<Omit<ConflictProps, 'onClose'>>();

  const change = (status: Status, to: (pages: Pages) => Pages) =>
    queryClient.setQueryData<Pages>(columnOf(status, filter).queryKey, (pages) => pages && to(pages));

  const { mutate } = useMutation({
    mutationFn: ({ card, to }: Move) => tasks.update(card, { status: to }),
    async onMutate({ card, to }) {
      // What is being read must not undo what is shown.
      await queryClient.cancelQueries({ queryKey: tasks.queries.key });
      tell('');
      const before = [card.status, to].map((status) => {
        const { queryKey } = columnOf(status, filter);

        return [queryKey, queryClient.getQueryData(queryKey)] as const;
      });
      change(card.status, ({ pages, pageParams }) => ({
        pageParams,
        pages: pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => id !== card.id) })),
      }));
      change(to, ({ pages: [first, ...others], pageParams }) => ({
        pageParams,
        pages: first ? [{ ...first, data: [{ ...card, status: to }, ...first.data] }, ...others] : [],
      }));

      return before;
    },
    async onError(error, { card, to }, before) {
      for (const [queryKey, data] of before ?? []) queryClient.setQueryData(queryKey, data);

      if (!(error instanceof CrudError && error.compare)) {
        tell(`“${card.title}” was not moved: ${error.message}`);
        return;
      }
      try {
        const { current, changed } = await error.compare();
        setConflict({
          mine: { ...card, status: to },
          theirs: current,
          changed,
          save: () => mutate({ card: current, to }),
        });
      } catch (reason) {
        tell(`“${card.title}” was changed by others: ${(reason as Error).message}`);
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: tasks.queries.key }),
  });

  return {
    move: (card: Card, to: Status) => mutate({ card, to }),
    conflict,
    dismiss: () => setConflict(undefined),
  };
}
