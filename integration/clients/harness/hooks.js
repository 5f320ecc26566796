/** In: a DOM's window, React and its renderer, a tree of components. Out: hooks that run in it as in a page. */

/**
 * Renders a tree around a component that calls a hook.
 *
 * @param libraries React, `createRoot` of react-dom, `Window` of happy-dom: each client has its own
 * @param around what stands around the component, from its element
 * @param useHook called by the component; what it answers is looked at until it is what is waited for
 * @returns `until(condition)`: a promise of the hook's first answer, now or later, that satisfies it; `unmount()`
 */
export function renderHook({ React, createRoot, Window }, around, useHook) {
  const window = new Window({ url: 'http://localhost/' });
  // React's renderer and the clients look for these where a page has them.
  Object.assign(globalThis, { window, document: window.document, HTMLElement: window.HTMLElement });
  const waiting = new Set();
  let last;

  function Caller() {
    last = useHook();
    React.useEffect(() => {
      for (const wait of waiting) wait();
    });
    return null;
  }

  const root = createRoot(window.document.body.appendChild(window.document.createElement('div')));
  root.render(around(React.createElement(Caller)));

  const until = (condition) =>
    new Promise((resolve) => {
      const wait = () => {
        if (last === undefined || !condition(last)) return;
        waiting.delete(wait);
        resolve(last);
      };
      waiting.add(wait);
      wait();
    });

  return {
    until,
    async unmount() {
      root.unmount();
      await window.happyDOM.close();
    },
  };
}
