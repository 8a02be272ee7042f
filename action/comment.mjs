const PAGE = 100;

/**
 * Keeps one comment: the one that begins with the same hidden mark is rewritten, and only where there is none and
 * something is to be said is one written. Returns what was done. Throws when GitHub says no.
 */
export async function keepComment({ api, token, repository, number, body, isQuiet }) {
  if (token === '') throw new Error('there is no token');
  const mark = body.slice(0, body.indexOf('\n'));
  if (!mark.startsWith('<!-- kbsync:')) throw new Error('bug: the text has no mark');
  const ask = async (method, path, value) => {
    const response = await fetch(`${api}/repos/${repository}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        ...(value === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(value === undefined ? {} : { body: JSON.stringify(value) }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${method} of the comment`);
    return response.json();
  };
  for (let page = 1; ; page += 1) {
    const comments = await ask('GET', `/issues/${number}/comments?per_page=${PAGE}&page=${page}`);
    const own = comments.find((comment) => comment.body?.startsWith(mark));
    if (own !== undefined) {
      if (own.body === body) return 'unchanged';
      await ask('PATCH', `/issues/comments/${own.id}`, { body });
      return 'updated';
    }
    if (comments.length < PAGE) break;
  }
  if (isQuiet) return 'none: nothing changes';
  await ask('POST', `/issues/${number}/comments`, { body });
  return 'created';
}
