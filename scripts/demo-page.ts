/** A web page that the demo serves to itself, on loopback and for as long as it runs. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Visiting the reservoir | Valmora Water</title></head>
<body>
<nav><a href="/">Start</a> <a href="/news">News</a> <a href="/contact">Contact</a></nav>
<div class="cookie-banner"><p>We use cookies. Do you agree?</p><button>Accept</button></div>
<main>
<h1>Visiting the reservoir</h1>
<p>The dam and its small museum are open to visitors from April to October. Guided tours start at 10:30 every Saturday and
take an hour and a half.</p>
<table>
<tr><th>Ticket</th><th>Price</th></tr>
<tr><td>Adults</td><td>6.50 EUR</td></tr>
<tr><td>Children under 12</td><td>free</td></tr>
</table>
</main>
<footer>Valmora Water</footer>
</body>
</html>`;

export interface DemoPage {
  readonly url: string;
  /** As `WEB_ALLOW` takes it: this page and nothing else. */
  readonly allow: string;
  close(): void;
}

export async function serveDemoPage(): Promise<DemoPage> {
  const server = createServer(({ url }, response) => {
    if (url !== '/visit') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/visit`,
    allow: `127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
