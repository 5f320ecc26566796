/** The choice of a member, grouped by tenant. It needs nothing of react-admin, so that it is painted at once. */
import { useEffect, useState } from 'react';
import { session } from './session.js';

/** A member of each tenant of the demo, for whom the others are read. */
const DEMO = ['1', '6', '11'];

async function readTenant(member) {
  const read = async (path) => {
    const answer = await fetch(path, { headers: { 'x-demo-member': member } });
    if (!answer.ok) throw new Error(`The server answers ${answer.status}`);
    return answer.json();
  };
  const [tenant, members] = await Promise.all([read('/tenant'), read('/members?fields=name,role&sort=id,ASC')]);

  return { ...tenant, members };
}

export function SignIn({ onReady }) {
  const [tenants, setTenants] = useState([]);
  const [error, setError] = useState();

  useEffect(() => {
    Promise.all(DEMO.map(readTenant)).then(setTenants, setError);
  }, []);
  useEffect(() => {
    if (tenants.length > 0) onReady();
  }, [tenants, onReady]);

  return (
    <div className="sign-in">
      <main>
        <header>
          <svg className="mark" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
            <path d="M4 3h16a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm2 4v2h4V7H6Zm0 4v6h4v-6H6Zm6-4v6h6V7h-6Zm0 8v2h6v-2h-6Z" />
          </svg>
          <h1>Workspace</h1>
          <p>Choose a member to sign in as. The demo has no passwords.</p>
        </header>
        {error && <p role="alert">The members could not be read: {error.message}</p>}
        <div className="tenants">
          {tenants.map(({ id, name, plan, members }) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id}>
                {name} <small>{plan}</small>
              </h2>
              <ul>
                {members.map((member) => (
                  <li key={member.id}>
                    <button onClick={() => session.begin(member.id, name)}>
                      <span>{member.name}</span> <small>{member.role}</small>
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </main>
    </div>
  );
}
