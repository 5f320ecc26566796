/** How the admin looks in headless Chromium, in light and dark, on a desk and on a phone: what is loaded first, fonts, accessibility, nothing beside the screen. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { TESTS_ALL } from '../../scripts/node-tests.js';
import { MEMBERS, startAdmin } from './harness.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PHONE = { width: 390, height: 844 };
const SCREENS = ['', 'tasks', 'tasks/create', 'tasks/1', 'projects', 'projects/1', 'members', 'comments', 'audit'];

/** React alone is 60 KB of it. All in one file without compression was 2.4 MB. */
const MOST_BEFORE_SIGN_IN = 100_000;

describe('how the admin looks · chromium', { timeout: 600_000 }, () => {
  let admin;
  before(async () => void (admin = await startAdmin()));
  after(() => admin?.close());

  async function open(page, screen) {
    // Only a page that is loaded anew waits for its network.
    await page.goto('about:blank');
    await page.goto(`${admin.origin}/admin/#/${screen}`);
    await page.locator('main').waitFor();
    await page.waitForLoadState('networkidle');
  }

  test('the sign-in is painted before fonts and screens are loaded, and is small', async () => {
    const { page } = await admin.newPage();
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const loaded = [];
    network.on('Network.loadingFinished', ({ encodedDataLength }) => loaded.push(encodedDataLength));
    // What is refused here, the sign-in cannot need.
    await page.route(/\/admin\/(fonts|chunks\/screens-)/, (route) => route.abort());

    await page.goto(`${admin.origin}/admin/`);
    await page.getByRole('region').last().getByRole('button').last().waitFor();
    await page.waitForLoadState('networkidle');
    const bytes = loaded.reduce((sum, size) => sum + size, 0);
    assert.ok(loaded.length > 3 && bytes < MOST_BEFORE_SIGN_IN, `${bytes} bytes in ${loaded.length} files`);
    for (const file of ['main.js', 'main.css', 'fonts.css']) {
      const answer = await fetch(`${admin.origin}/admin/${file}`, { headers: { 'accept-encoding': 'gzip' } });
      assert.equal(answer.headers.get('content-encoding'), 'gzip', file);
    }
    await page.context().close();
  });

  test('every character of the records has a face of ours, whatever fonts the machine has', async () => {
    const { page } = await admin.newPage();
    const texts = await Promise.all(
      MEMBERS.flatMap((member) =>
        ['/tenant', '/members', '/projects', '/tasks?fields=title&limit=500', '/comments?limit=500'].map(async (path) =>
          JSON.stringify(await admin.read(path, member)),
        ),
      ),
    );
    const characters = [...new Set(texts.join(''))];
    assert.ok(characters.some((character) => character > '\u3000'));
    await page.goto(`${admin.origin}/admin/`);
    await page.waitForLoadState('networkidle');
    await page.evaluate(async (text) => {
      document.body.replaceChildren(Object.assign(document.createElement('p'), { id: 'all', textContent: text }));
      await document.fonts.load('16px ' + getComputedStyle(document.body).fontFamily, text);
      await document.fonts.ready;
    }, characters.join(' '));

    const devtools = await page.context().newCDPSession(page);
    for (const domain of ['DOM', 'CSS']) await devtools.send(`${domain}.enable`);
    const { root } = await devtools.send('DOM.getDocument');
    const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#all' });
    const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
    assert.ok(fonts.length > 1);
    assert.deepEqual(
      fonts.filter(({ isCustomFont }) => !isCustomFont),
      [],
    );
    await page.context().close();
  });

  test('a member is chosen by the keyboard, whose focus is seen; the colours are chosen, too', async () => {
    const { page } = await admin.newPage({ colorScheme: 'dark' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const outline = () => page.evaluate(() => getComputedStyle(document.activeElement).outline);
    await page.goto(`${admin.origin}/admin/`);
    await page.getByRole('region').last().getByRole('button').last().waitFor();
    await page.keyboard.press('Tab');
    assert.match(await outline(), /solid 3px/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Open tasks by project' }).waitFor();
    const dark = await ground();
    await page.keyboard.press('Tab');
    assert.match(await outline(), /solid 3px/);

    await page.getByRole('button', { name: 'Toggle light/dark mode' }).click();
    await page.waitForFunction((before) => getComputedStyle(document.body).backgroundColor !== before, dark);
    const light = await ground();
    await page.reload();
    await page.getByRole('heading', { name: 'Open tasks by project' }).waitFor();
    assert.equal(await ground(), light);
    await page.context().close();
  });

  const looks = ['light', 'dark'].flatMap((colorScheme) => [{ colorScheme }, { colorScheme, viewport: PHONE }]);
  // Each second screen, dark on a phone, unless everything is tested.
  const screens = SCREENS.filter((screen, at) => TESTS_ALL || at % 2 === 0);
  for (const { colorScheme, viewport } of TESTS_ALL ? looks : [looks[3]]) {
    test(`no screen has a serious fault, or is wider than the window: ${colorScheme}, ${viewport ? 'phone' : 'desk'}`, async () => {
      const { page, complaints } = await admin.newPage({ colorScheme, ...(viewport && { viewport }) });
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
      const check = async (screen) => {
        if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({ path: AXE });
        await page.waitForFunction(() =>
          document.getAnimations().every(({ effect }) => effect.getTiming().iterations === Infinity),
        );
        const faults = await page.evaluate(async () => {
          const { violations } = await window.axe.run();
          return violations
            .filter(({ impact }) => ['serious', 'critical'].includes(impact))
            .map(
              ({ id, nodes }) =>
                `${id}: ${nodes
                  .map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`)
                  .slice(0, 3)
                  .join('\n')}`,
            );
        });
        assert.deepEqual(faults, [], screen);
        const [width, most] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
        assert.ok(width <= most, `${screen}: ${width} pixels`);
      };

      await page.goto(`${admin.origin}/admin/`);
      await page.getByRole('region').last().getByRole('button').last().waitFor();
      await check('sign-in');
      await admin.signIn(page);
      for (const screen of screens) {
        await open(page, screen);
        await check(screen || 'dashboard');
      }

      await open(page, 'projects/1');
      await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
      await admin.stored('Project').update(1, { name: `Theirs, ${colorScheme} ${viewport?.width}` });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor();
      await check('conflict');
      assert.deepEqual(complaints, []);
      await page.context().close();
    });
  }
});
