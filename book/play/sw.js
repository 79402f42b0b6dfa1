// Keeps what the page is made of, so that it plays without a network once it has been opened. With one, the newest
// files are shown. Used where the page comes from a server; a plain folder needs none.
const NAME = "mock5-play";
const FILES = ["./", "index.html", "page.css", "board.css", "page.js"];
const NETS = ["alphazero_tiny", "alphazero_tiny_10", "supervised_9x9", "reinforced_9x9", "alphazero_9x9", "supervised_15x15", "alphazero_15x15"];

self.addEventListener("install", (event) => {
  const all = [...FILES, ...NETS.map((net) => `nets/${net}.js`)];
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(all)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(self.registration.scope)) return;
  event.respondWith(fetchOrKept(event.request));
});

async function fetchOrKept(request) {
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (problem) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw problem;
  }
}
