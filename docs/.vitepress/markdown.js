/** What the pages in docs/ are changed by on their way to the site; on GitHub they read as they lie. */
import { STATUS_CODES } from 'node:http';

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Links out of docs/ lead to the repository, links to a README to the page that it is here. */
export const changeLinks = (repository) => (md) => {
  md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
    // A title from the frontmatter has no page.
    if (env.relativePath === undefined) return;
    const outside = '../'.repeat(env.relativePath.split('/').length);

    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.type === 'link_open' ? token.attrGet('href') : undefined;
      if (!target || /^\w+:/.test(target)) continue;

      const isOutside = target.startsWith(outside);
      token.attrSet(
        'href',
        isOutside
          ? `${repository}/blob/main/${target.slice(outside.length)}`
          : target.replace(/README\.md(?=#|$)/, 'index.md'),
      );
    }
  });
};

/** An `http` block becomes two: the request, and under its status the response. */
export function splitHttp(md) {
  const { fence } = md.renderer.rules;

  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    const [, request, status, response] = /^http\b/.test(token.info)
      ? (/^([^]*?\n)\n(\d{3})\n([^]*)$/.exec(token.content) ?? [])
      : [];
    if (!status) return fence(tokens, index, ...rest);

    const block = (info, content) => {
      const part = Object.assign(Object.create(Object.getPrototypeOf(token)), token, { info, content });
      return content.trim() === '' ? '' : fence([part], 0, ...rest);
    };
    const classes = ['status', status >= '400' && 'refused', response.trim() === '' && 'last'].filter(Boolean);

    return [
      '<div class="http">',
      // A long address is broken between its parameters.
      block('http', request).replace(/&(?:amp|#x26);/g, '<wbr>$&'),
      `<p class="${classes.join(' ')}">${status} ${STATUS_CODES[status]}</p>`,
      block(/^["[{\d]/.test(response) ? 'json' : 'http', response),
      '</div>',
    ].join('');
  };
}

/** Sets in what is wrapped of a line of code, by two more than the line itself. */
export const hangingIndent = {
  line(node, line) {
    const text = this.source.split('\n')[line - 1] ?? '';
    if (text.length > 30) node.properties.style = `--hang:${text.search(/\S|$/) + 2}ch`;
  },
};
