/** The project's own lint rules: `any` gives its reason, a file name says what is in the file. */

const VAGUE = /(^|[-._])(helpers?|utils?|managers?|data|info)([-._]|$)/i;

/** `any` is allowed where a comment beside it, on its line or the line above, says why. */
const anyWithReason = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { reason: 'Say in a comment beside it why this is `any`, or use `unknown`.' },
  },
  create(context) {
    const lines = new Set();
    for (const { loc } of context.sourceCode.getAllComments())
      for (let line = loc.start.line; line <= loc.end.line; line += 1) lines.add(line);

    return {
      TSAnyKeyword(node) {
        const { line } = node.loc.start;
        if (!lines.has(line) && !lines.has(line - 1)) context.report({ node, messageId: 'reason' });
      },
    };
  },
};

/** No file is called helper, util, manager, data or info: such a name says nothing. */
const tellingFileName = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { vague: '"{{name}}" says nothing about what is in the file.' },
  },
  create(context) {
    return {
      Program(node) {
        const name = context.filename.split(/[\\/]/).at(-1) ?? '';
        if (VAGUE.test(name)) context.report({ node, messageId: 'vague', data: { name } });
      },
    };
  },
};

export const houseRules = {
  rules: {
    'any-with-reason': anyWithReason,
    'telling-file-name': tellingFileName,
  },
};
