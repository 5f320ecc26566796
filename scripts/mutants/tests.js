/** The tests of a file as Jest holds them: blocks within blocks. */

/** @returns each test and block with an id: the places on the way to it, as `3.0.2` */
export function listTests(block, id = 'root') {
  return [
    [block, id],
    ...block.children.flatMap((child, place) => {
      const inner = id === 'root' ? String(place) : `${id}.${place}`;

      return child.type === 'test' ? [[child, inner]] : listTests(child, inner);
    }),
  ];
}

/** A copy of a block with those of its tests alone, which keep their ids. */
function copy(block, parent, isAsked, ids) {
  const copied = { ...block, parent };
  copied.children = block.children.flatMap((child) => {
    if (child.type === 'test') {
      const fresh = { errors: [], retryReasons: [], seenDone: false, unhandledRejectionErrorByPromise: new Map() };

      return isAsked(child) ? [{ ...child, ...fresh, parent: copied, id: ids.get(child) }] : [];
    }
    const inner = copy(child, copied, isAsked, ids);

    return inner.children.length > 0 ? [inner] : [];
  });

  return copied;
}

/** Instead of its tests, a file is to run those asked of each mutant, and these again without it. */
export function askInTurn(root, asked, ids) {
  const whole = { ...root };
  root.hooks = [];
  root.children = asked.flatMap(({ mutant, tests }) => {
    const wanted = new Set(tests);
    const isAsked = (test) => wanted.has(ids.get(test));

    return [false, true].map((again) => {
      const block = copy(whole, root, isAsked, ids);

      return Object.assign(block, { name: `mutant ${mutant}`, asked: { mutant, again } });
    });
  });
}
