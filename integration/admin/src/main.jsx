/** The sign-in, and behind it the screens, which are loaded while somebody chooses who to be. */
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import './main.css';
import { session } from './session.js';
import { SignIn } from './sign-in.jsx';

const load = () => import('./screens.jsx');
const preload = () => load().catch(() => undefined);
const Screens = lazy(load);

function App() {
  const member = useSyncExternalStore(session.subscribe, session.member);
  if (!member) return <SignIn onReady={preload} />;

  return (
    <Suspense fallback={<p className="loading">Loading …</p>}>
      <Screens key={member} />
    </Suspense>
  );
}

createRoot(document.getElementById('root')).render(<App />);
