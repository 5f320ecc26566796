/** The board: a client of the workspace in React and TanStack Query. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { session } from './api.js';
import { Board } from './board.js';
import './board.css';
import { SignIn } from './sign-in.js';

// The client repeats what may be repeated; and a request without a network fails, instead of waiting unseen.
const shared = { retry: false, networkMode: 'always' } as const;
const queryClient = new QueryClient({
  defaultOptions: { queries: { ...shared, staleTime: 5_000 }, mutations: shared },
});

function App() {
  const [member, setMember] = useState(session.member());

  const signIn = (id: string) => {
    session.begin(id);
    setMember(id);
  };
  const signOut = () => {
    session.end();
    // Nothing of one tenant is shown to another.
    queryClient.clear();
    setMember(null);
  };

  return member === null ? <SignIn onSignIn={signIn} /> : <Board member={member} onSignOut={signOut} />;
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
