// SPDX-License-Identifier: MIT
//
// Opens DIRECTORY/index.html in headless Chromium, light and dark, and checks what a reader relies
// on. Speaks the DevTools protocol over a pipe, so that it needs node and Debian's chromium only.
//   node page.js DIRECTORY
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const assert = require('assert');

const directory = path.resolve(process.argv[2]);
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'ringleader-page-'));
const browser = spawn('chromium', [
    '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank',
], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });

// Messages are JSON, each ended by a zero byte.
let buffered = '';
let nextId = 1;
const waiting = new Map();
const listeners = [];
browser.stdio[4].on('data', (data) => {
    buffered += data.toString();
    for (let end; (end = buffered.indexOf('\0')) >= 0; buffered = buffered.slice(end + 1)) {
        const message = JSON.parse(buffered.slice(0, end));
        if (message.id) waiting.get(message.id)(message);
        else listeners.forEach((listener) => listener(message));
    }
});
function send(method, params = {}, sessionId) {
    const id = nextId++;
    browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((resolve, reject) => waiting.set(id, (answer) =>
        answer.error ? reject(new Error(`${method}: ${answer.error.message}`))
            : resolve(answer.result)));
}
function event(method) {
    return new Promise((resolve) => listeners.push((m) => m.method === method && resolve(m)));
}

// What is in the page, as the browser sees it.
const LOOK = `JSON.stringify({
    figures: [...document.querySelectorAll('figure')].map(f => ({
        id: f.id,
        points: f.querySelectorAll('.point').length,
        bars: f.querySelectorAll('.bar').length,
        stairs: f.querySelectorAll('.stairs').length,
        keys: f.querySelectorAll('.key').length,
        intervals: f.querySelectorAll('.interval').length,
        labels: [...f.querySelectorAll('text')].map(t => t.textContent),
        inside: [...f.querySelectorAll('text,.point,.bar,.key')].every(e => {
            const a = e.getBoundingClientRect(), b = f.querySelector('svg').getBoundingClientRect();
            return a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 &&
                a.bottom <= b.bottom + 1;
        }),
        links: [...f.querySelectorAll('a')].map(a => a.getAttribute('href')),
    })),
    links: [...document.querySelectorAll('a')].map(a => a.getAttribute('href')),
    rows: document.querySelectorAll('#points tbody tr').length,
    claims: [...document.querySelectorAll('#claims tbody tr')].map(r => r.textContent),
    families: [...document.querySelectorAll('#growth tbody tr')].map(r => r.textContent),
    plan: document.querySelector('#plan').textContent,
    paper: getComputedStyle(document.body).backgroundColor,
    ink: getComputedStyle(document.body).color,
    overflow: document.documentElement.scrollWidth > document.documentElement.clientWidth,
})`;

async function main() {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const complaints = [];
    const requests = [];
    listeners.push(({ method, params }) => {
        if (method === 'Network.requestWillBeSent') requests.push(params.request.url);
        if (method === 'Runtime.exceptionThrown') complaints.push(params.exceptionDetails.text);
        if (method === 'Runtime.consoleAPICalled') complaints.push(JSON.stringify(params.args));
        if (method === 'Log.entryAdded') complaints.push(params.entry.text);
    });
    for (const domain of ['Network', 'Runtime', 'Log', 'Page'])
        await send(`${domain}.enable`, {}, sessionId);

    async function look(scheme, width) {
        await send('Emulation.setEmulatedMedia',
            { features: [{ name: 'prefers-color-scheme', value: scheme }] }, sessionId);
        await send('Emulation.setDeviceMetricsOverride',
            { width, height: 900, deviceScaleFactor: 1, mobile: false }, sessionId);
        const loaded = event('Page.loadEventFired');
        await send('Page.navigate', { url: `file://${directory}/index.html` }, sessionId);
        await loaded;
        const answer = await send('Runtime.evaluate', { expression: LOOK }, sessionId);
        return JSON.parse(answer.result.value);
    }
    const light = await look('light', 1200);
    const dark = await look('dark', 1200);
    const narrow = await look('light', 380);

    // What must be there follows from the plan in page.sh.
    const count = (id) => light.figures.find((f) => f.id.includes(id));
    // Without line 13 few trials end; sizes at which some gave up have no mean, and no point.
    const [head, ...rows] = fs.readFileSync(path.join(directory, 'trials.csv'), 'utf8').split('\n')
        .map((line) => line.split(','));
    const gaveUp = new Set(rows.filter((c) => c[0] === 'prl-dummy' && c[head.indexOf('reached')] === '0')
        .map((c) => c[head.indexOf('n')]));
    assert.ok(gaveUp.size > 0);
    assert.strictEqual(count('overview').points, 4 + 3 - gaveUp.size);
    assert.strictEqual(count('01-claims').points, 6 * 4);
    assert.strictEqual(count('growth-prl-n').points, 6 * 4);
    assert.strictEqual(count('growth-prl-n').intervals, 6 * 4);
    assert.strictEqual(count('growth-prl-n').keys, 6 + 1);
    assert.strictEqual(count('growth-prl-N').points, 8 * 3);
    assert.strictEqual(count('recovery-prl-n').points, 3 * 2);
    assert.strictEqual(count('recovery-prl-agents').points, 2 * 3);
    assert.ok(count('distribution-prl').stairs >= 8);
    assert.strictEqual(count('hits-prl--N-n--random').bars, 4 * 3);
    assert.strictEqual(light.rows, 4 * 3 * 2 + 3 + 6);
    assert.ok(light.families.some((f) => f.startsWith('prl, N=2n, leaderless')
        && f.includes('24(N+1)') && f.includes('O(nN) & <more>')));
    assert.ok(light.plan.includes('claim = O(nN) & <more>'));
    for (const figure of light.figures) {
        assert.ok(figure.points + figure.bars + figure.stairs > 0, `${figure.id} is empty`);
        assert.ok(figure.inside, `${figure.id}: something lies outside the picture`);
        assert.ok(figure.labels.some((l) => l.includes('steps')), `${figure.id} has no unit`);
        assert.strictEqual(figure.links.length, 3);
    }
    for (const link of light.links)
        assert.ok(fs.existsSync(path.join(directory, link)), `${link} leads nowhere`);
    assert.strictEqual(light.paper, 'rgb(255, 255, 255)');
    assert.strictEqual(dark.paper, 'rgb(22, 25, 29)');
    assert.notStrictEqual(light.ink, dark.ink);
    assert.ok(!narrow.overflow, 'the page is wider than a telephone');
    assert.deepStrictEqual(complaints, []);
    assert.deepStrictEqual([...new Set(requests)].filter((u) => !u.startsWith('data:')),
        [`file://${directory}/index.html`]);
    console.log(`${light.figures.length} plots, ${light.rows} points, ${light.families.length} `
        + 'families; no complaint, no request');
}

main().then(() => 0, (error) => { console.error(error.message); return 1; }).then((status) => {
    browser.on('exit', () => {
        fs.rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
        process.exit(status);
    });
    send('Browser.close').catch(() => browser.kill('SIGKILL'));
});
