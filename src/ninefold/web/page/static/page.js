// The live part of the page. It sends the page's own forms, follows its own links, and puts the server's
// answers in place. There are no game rules here, and without this script everything works by reloading.

const root = document.body.dataset.root;
const banner = document.getElementById("connection");
const live = document.getElementById("live");
const find = (selector) => document.querySelector(selector);
const parse = (text) => new DOMParser().parseFromString(text, "text/html");
let main = document.getElementById("main");
let busy = 0; // requests for pages that have not been answered yet
let sending = false;
let slow = 0; // the timer after which the page shows that it is waiting
let unsent = null; // a form that could not be sent
let wanted = null; // the address of a link that could not be followed
let stream = null;
let heard = 0; // the number of the newest event that has been received
let missed = false; // events never came, so that the page has to be reloaded
let resting = false; // the page has been hidden for a while

document.documentElement.classList.add("live");

// Loading pages and putting them in place

let asked = 0; // the number of the latest request
let newest = 0; // the number of the latest request whose answer was put in place

class Unreachable extends Error {
  constructor(refused = false) {
    super();
    this.refused = refused; // the server is there, and has done nothing
  }
}

async function load(address, options = {}) {
  const number = ++asked;
  busy += 1;
  try {
    const [answer, text] = await fetchPage(address, options);
    clearTimeout(slow);
    main.classList.remove("slow");
    const posted = options.method === "POST";
    const stays = posted && !answer.redirected; // refused: the answer's URL is the form's
    const leaves = posted && new URL(answer.url).pathname !== location.pathname;
    const late = () => number < newest && !stays && !leaves; // a newer answer is on the page
    const page = parse(text);
    if (!late()) {
      newest = Math.max(newest, number);
      await pauseForOwnMove(page.getElementById("main").dataset);
      await showReveal(page);
      await released;
    }
    if (!late()) showPage(page, stays ? location.href : answer.url, options);
    else if (options.history !== "none" && main.dataset.match) askAgain(answer.url, posted);
  } finally {
    busy -= 1;
    setTimeout(catchUp, 50);
  }
}

// What you asked for is asked for again if a newer answer came first: a move must not hide who is winning, nor this a hint.
function askAgain(url, posted) {
  const address = posted ? copyBalance(location.href, url) : copyBalance(url, location.href);
  if (posted || address !== location.href) navigate(address);
}

// An address, with the balance of power shown or not as at another one.
function copyBalance(from, to) {
  const url = new URL(to);
  url.searchParams.delete("eval");
  if (new URL(from).searchParams.has("eval")) url.searchParams.set("eval", 1);
  return url.href;
}

// A page that is replaced while something is pressed would lose the click.
let released = null; // a promise: nothing is pressed

addEventListener("pointerdown", () => {
  released = new Promise((resolve) => {
    const release = () => setTimeout(resolve); // once its form has been submitted
    for (const type of ["click", "pointercancel"]) addEventListener(type, release, { once: true });
    setTimeout(resolve, 1000); // dragged away
  });
});

// Your own move stays on the board for a moment before the computer's answer appears.
let sent = null; // your move: when it was drawn, and the ply before it

async function pauseForOwnMove(next) {
  if (!sent || !next.computer || prefersStill() || next.ply - sent.ply < 2 || next.match !== main.dataset.match) return;
  for (const one of main.querySelectorAll(".pending")) one.classList.remove("pending");
  await new Promise((resolve) => setTimeout(resolve, sent.at + 650 - performance.now()));
}

const prefersStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

async function fetchPage(address, options) {
  let answer, text;
  try {
    answer = await fetch(address, { headers: { Accept: "text/html" }, ...options });
    text = await answer.text();
  } catch {
    throw new Unreachable();
  }
  const page = (answer.headers.get("content-type") || "").startsWith("text/html");
  if (!page || [429, 502, 503, 504].includes(answer.status)) throw new Unreachable(answer.status === 429);
  return [answer, text];
}

function showPage(page, address, options) {
  const next = page.getElementById("main");
  const before = main.dataset;
  const folds = [...main.querySelectorAll("details[open], .fold")].map((one) => [one.id, one.open]);
  const focused = main.contains(document.activeElement) ? document.activeElement.id : null;
  const typed = [...main.querySelectorAll("input:not([type], [readonly]), select")].map((one) => [one.id, one.value]);
  const picked = main.querySelector("[data-play] input:checked, [data-play] .chosen");
  const same = before.match === next.dataset.match;
  const moved = same && before.ply !== next.dataset.ply;
  document.title = page.title;
  table = before.match && !next.dataset.match ? main : null;
  main.replaceWith(document.adoptNode(next));
  main = next;
  if (!same) wanted = null;
  if (!same || (sent && main.dataset.ply !== String(sent.ply + 1))) sent = null;
  if (moved) main.classList.add("moved");
  for (const [id, open] of folds) if (id && document.getElementById(id)) document.getElementById(id).open = open;
  for (const [id, value] of typed) if (id && document.getElementById(id)) document.getElementById(id).value = value;
  if (picked && before.version === next.dataset.version) restoreChoice(document.getElementById(picked.id));
  if (options.history === "push") history.pushState(null, "", address);
  else if (options.history !== "none" && address !== location.href) history.replaceState(null, "", address);
  if (focused !== null) restoreFocus(focused);
  const news = announce(before, same);
  if (main.dataset.over === "1" && before.over === "0") playTones(...(main.dataset.won === "1" ? [523, 659, 784] : [494, 392]));
  else if (moved) playTones(main.dataset.turn === "1" ? 660 : 440);
  else if (news && main.dataset.match) playTones(880);
  preparePage();
  if (same && main.dataset.next && !before.next) navigate(main.dataset.next); // a rematch takes both players along
}

// The coach's page takes the place of the table. A move that is played anyway is made at the table, where it is drawn.
let table = null;

function returnToTable() {
  main.replaceWith(table);
  main = table;
  sent = { at: performance.now(), ply: Number(main.dataset.ply) };
  restoreFocus(null);
}

// Screen readers hear the lines that are new. A refusal is not among them: it is an alert of its own.
function announce(before, same) {
  const known = (before.said || "").split("\n");
  const fresh = (main.dataset.said || "").split("\n").filter((line) => line && !known.includes(line));
  if (same && Number(main.dataset.ply) < Number(before.ply)) fresh.unshift(main.dataset.undone);
  if (fresh.length) live.textContent = fresh.join(" ");
  return same && before.version !== main.dataset.version && fresh.length > 0;
}

// Secret choices turn over on the board, with what they led to, before anything else happens there.
const countOf = (page) => Number(page.getElementById("reveal")?.dataset.count || 0);
let revealed = countOf(document); // the number of moves at the latest reveal that was shown
let moment = null; // the reveal that is being shown: a promise, and how to skip it

async function showReveal(page) {
  const { match } = page.getElementById("main").dataset;
  const count = match ? countOf(page) : revealed; // a coach's page shows none
  const fresh = match === main.dataset.match && count > revealed;
  revealed = count;
  if (fresh && !prefersStill()) startMoment(page.getElementById("reveal").content);
  await moment?.over;
}

function startMoment(content) {
  moment?.skip();
  const cards = Object.assign(document.createElement("div"), { className: "showdown", ariaHidden: "true" });
  cards.append(document.importNode(content, true));
  const [one, other] = [...cards.querySelectorAll("b")].map((number) => Number(number.textContent));
  if (one < other || other < one) cards.children[one < other ? 0 : 1].classList.add("lesser");
  const outcome = cards.querySelector("p");
  const says = outcome.textContent;
  outcome.remove();
  find(".status").textContent = says; // it said who was still choosing
  live.textContent = says;
  main.dataset.said += `\n${says}`; // so that it is not said twice
  let skip;
  const over = new Promise((resolve) => (skip = resolve)).then(() => {
    cards.remove();
    moment = null;
  });
  moment = { over, skip };
  setTimeout(skip, 2400);
  cards.onclick = skip;
  find(".mine").append(cards);
}

// What was chosen stays chosen when the page reloads and nothing has happened.
function restoreChoice(element) {
  if (element && element.matches("input")) element.checked = true;
  else if (element) markChosen(element);
}

function restoreFocus(id) {
  const same = id && document.getElementById(id);
  const target = same && same.matches("a, button, input, summary, select") ? same : find("[data-home]") || main;
  target.focus({ preventScroll: true });
}

async function refresh() {
  missed = false;
  try {
    await load(location.href, { history: "none" });
    return true;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    if (main.dataset.match) showLost();
    return false;
  }
}

// Once no request is open, reload the page if it does not show the newest event yet.
function catchUp() {
  if (!busy && !unsent && !isLost() && (missed || heard > Number(main.dataset.version || 0))) refresh();
}

// Sending forms

// An action that is pressed while another form is being sent follows it, if it is still there then.
let pressed = null; // the id of the button whose form is being sent
let queued = null; // the id of the one that was pressed since

async function send(form) {
  if (sending) {
    if (form.button !== pressed) queued = form.button;
    return;
  }
  sending = true;
  pressed = form.button;
  queued = null;
  slow = setTimeout(() => main.classList.add("slow"), 300);
  try {
    await load(form.action, { method: "POST", body: form.body });
    unsent = null;
    if (wanted) wanted = copyBalance(wanted, location.href);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    unsent = form.once && !error.refused ? null : form;
    showLost(error.refused);
  } finally {
    sending = false;
    clearTimeout(slow);
  }
  if (queued && !unsent) document.getElementById(queued)?.click();
}

// A move is drawn before the server has it. The button's data attributes say what it will look like.
function drawMove(form, button) {
  const number = form.querySelector("input[name=number]:checked");
  const mark = button.dataset.mark ?? (button.dataset.numbers ? "own" : undefined);
  button.classList.add("pending");
  delete button.dataset.ghost;
  sent = { at: performance.now(), ply: Number(main.dataset.ply) };
  if (mark === undefined) return;
  const own = form.querySelector(".seat.turn .mark");
  const text = button.dataset.text ?? number.value;
  const face = button.querySelector(".face");
  for (const old of face.querySelectorAll(".number, .mark")) old.remove();
  button.classList.toggle("bare", !text);
  if (text) face.append(Object.assign(document.createElement("span"), { className: "number", textContent: text }));
  button.classList.remove("x", "o");
  if (!mark) return;
  button.classList.add(own.classList.contains("x") ? "x" : "o");
  face.append(own.cloneNode(true));
}

function bodyOf(form, submitter) {
  const body = new URLSearchParams(new FormData(form));
  if (submitter && submitter.name) body.set(submitter.name, submitter.value);
  return body;
}

addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-live]")) return;
  event.preventDefault();
  const button = event.submitter;
  const action = button?.getAttribute("formaction") || form.getAttribute("action"); // form.action may be a button
  if (form.matches("[data-play]") && !button?.hasAttribute("formaction")) {
    if (sending || unsent || !chooseCell(form, button)) return; // one move at a time
    const body = bodyOf(form, button);
    drawMove(form, button);
    send({ action, body });
    return;
  }
  if (form.getAttribute("method") !== "post") {
    const query = bodyOf(form, button);
    for (const [name, value] of [...query]) if (!value) query.delete(name);
    navigate(`${action}?${query}`);
    return;
  }
  const body = bodyOf(form, button);
  if (body.has("sure") && table && !sending) returnToTable();
  send({ action, body, once: form.dataset.live === "once", button: button?.id });
});

addEventListener("click", (event) => {
  const link = event.target.closest("a[data-live]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (link.matches(".chip, .cell, .line")) chooseLink(link);
  else navigate(link.href);
});

// A number and a cell that are links: whatever is chosen before the first of them has arrived comes after it.
let underway = null; // the id of the link that is being followed
let following = null; // the id of the one after it

async function chooseLink(link) {
  if (underway) {
    if (link.id !== underway) following = link.id;
    return;
  }
  underway = link.id;
  link.classList.add("pending");
  await navigate(link.href).finally(() => (underway = null));
  const next = following && document.getElementById(following);
  following = null;
  next?.click();
}

async function navigate(address) {
  try {
    await load(address, { history: main.dataset.match || main.dataset.steps ? "replace" : "push" });
    wanted = null;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    if (!main.dataset.match) return location.assign(address);
    wanted = new URL(address, location.href).href;
    showLost(error.refused);
  }
}

addEventListener("popstate", refresh);

// A number and a cell, in either order

// Whether the move is complete. If it lacks a number, the cell is marked as chosen.
function chooseCell(form, cell) {
  const needsNumber = cell && cell.dataset.numbers;
  if (!needsNumber || form.querySelector("input[name=number]:checked")) return true;
  const again = cell.classList.contains("chosen");
  clearChosen();
  if (!again) {
    markChosen(cell);
    live.textContent = cell.dataset.asks || "Now choose a number.";
  }
  showAsked();
  return false;
}

function markChosen(cell) {
  cell.classList.add("chosen");
  cell.setAttribute("aria-pressed", "true");
}

function clearChosen() {
  for (const one of main.querySelectorAll(".chosen")) {
    one.classList.remove("chosen");
    one.removeAttribute("aria-pressed");
  }
}

addEventListener("change", (event) => {
  const input = event.target;
  const row = input.closest(".whom .one");
  if (row && input.matches("select")) row.querySelector("input").checked = true; // a level means the computer
  if (input.dataset.alike) // a choice on one game's card applies to all of them
    for (const other of main.querySelectorAll(`[data-alike=${input.dataset.alike}]`)) other.value = input.value;
  if (input.matches("[data-play] input[name=number]")) chooseNumber(input);
});

function chooseNumber(input) {
  input.checked = true;
  const chosen = main.querySelector(".chosen");
  if (chosen) input.form.requestSubmit(chosen);
  else highlightCells();
}

// The status says what is still to be chosen of a move.
function showAsked() {
  const asks = find("#asks");
  if (!asks) return;
  asks.dataset.status ??= asks.textContent;
  const half = main.querySelector("[data-play] input[data-asks]:checked, [data-play] .chosen[data-asks]");
  asks.textContent = half?.dataset.asks || asks.dataset.status;
}

function highlightCells() {
  showAsked();
  const input = main.querySelector("[data-play] input[name=number]:checked");
  for (const cell of main.querySelectorAll("[data-play] button[data-numbers]:not([data-numbers=''])")) {
    const fits = input && cell.dataset.numbers.split(" ").includes(input.value);
    cell.classList.toggle("shut", Boolean(input) && !fits);
    if (fits) cell.dataset.ghost = input.value;
    else delete cell.dataset.ghost;
  }
}

// What a move gains is shown where it is pointed at. Lines are claimed as a whole: their cells are highlighted,
// and a cell has a menu of the lines through it

const cellsOf = (line) => line.id.split("-")[2].split(".");

function highlightLine(event) {
  for (const one of main.querySelectorAll(".lit-across, .lit-down")) one.classList.remove("lit-across", "lit-down");
  const part = event.type !== "focusout" && event.target.closest?.("[data-play] button:is(.line, .cell)");
  showGain(part || null);
  if (!part || !part.matches(".line")) return;
  const lit = part.matches(".below") ? "lit-down" : "lit-across";
  for (const cell of cellsOf(part)) document.getElementById(`c-0-${cell}`).classList.add(lit);
}

function showGain(part) {
  const peek = find("#peek");
  if (!peek) return;
  const says = part?.dataset.says || "";
  peek.textContent = says;
  peek.hidden = !says;
  const news = find("#news");
  if (news) news.hidden = Boolean(says);
  const score = main.querySelector(".seat.turn .score-now");
  if (says && score) score.dataset.then = part.dataset.score;
  else if (score) delete score.dataset.then;
}

for (const type of ["mouseover", "focusin", "focusout"]) addEventListener(type, highlightLine);

addEventListener("click", (event) => {
  for (const one of main.querySelectorAll(".menu")) one.remove();
  const cell = event.target.closest(".lined span.cell");
  const lines = cell && [...main.querySelectorAll("button.line")].filter((line) => cellsOf(line).includes(cell.id.split("-")[2]));
  if (!lines?.length || sending || unsent) return;
  const menu = Object.assign(document.createElement("span"), { className: "menu" });
  for (const line of lines) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: line.dataset.name });
    button.onclick = () => line.click();
    button.onmouseenter = button.onfocus = () => highlightLine({ target: line });
    menu.append(button);
  }
  cell.append(menu);
});

// Keys

// A dialog that was just closed keeps the focus until the page is drawn again: its fields no longer count.
const isField = (element) =>
  element.matches("input:not([type=radio]), select, textarea") && !element.closest("dialog:not([open])");

addEventListener("keydown", (event) => {
  if (event.repeat && !event.key.startsWith("Arrow")) return;
  if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target) || find("dialog[open]")) return;
  if (moment && event.key !== "Tab") moment.skip();
  else if (event.key === "?") {
    if (localStorage.getItem("letters") === "off") return;
    find("#keys").showModal();
  }
  else if (event.key === "Escape") {
    for (const one of main.querySelectorAll(".menu")) one.remove();
    for (const input of main.querySelectorAll("[data-play] input:checked")) input.checked = false;
    clearChosen();
    highlightCells();
  } else if (event.key === "Enter" && event.target.matches("[data-play] input[type=radio]")) chooseNumber(event.target);
  else if (event.key.startsWith("Arrow")) {
    if (!moveFocus(event)) return;
  } else {
    const target = main.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!target || localStorage.getItem("letters") === "off") return;
    if (target.matches("input")) chooseNumber(target);
    if (target.matches("input, .cell, .line, .chip, [data-ask]")) target.focus();
    if (target.dataset.ask) showNotice(target.dataset.ask);
    else if (!target.matches("input")) target.click();
  }
  event.preventDefault();
});

function moveFocus(event) {
  const spots = [...main.querySelectorAll(".board a, .board button, .numbers input, .numbers button, .numbers a")];
  const step = main.querySelector(`[data-key="${event.key}"]`);
  const from = spots.includes(document.activeElement) ? document.activeElement : null;
  if (step && !from) {
    step.click();
    return true;
  }
  if (!spots.length) return false;
  (from ? findNearest(spots, from, event.key) : find(".board a, .board button") || spots[0])?.focus();
  return true;
}

function findNearest(spots, from, key) {
  const middle = (element) => {
    const box = (element.closest("label") || element).getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2, box.height / 2];
  };
  const [x, y, half] = middle(from);
  const sideways = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  let best = null;
  let least = Infinity;
  for (const spot of spots) {
    const [u, v, tall] = middle(spot);
    const along = sign * (sideways ? u - x : v - y);
    const across = Math.abs(sideways ? v - y : u - x);
    if (sideways && across > Math.max(half, tall)) continue; // another row
    if (along > 2 && along + 3 * across < least) [best, least] = [spot, along + 3 * across];
  }
  return best;
}

const letters = find("#letters");
letters.checked = localStorage.getItem("letters") !== "off";
letters.addEventListener("change", () => localStorage.setItem("letters", letters.checked ? "on" : "off"));

find("#keys-open").addEventListener("click", () => find("#keys").showModal());

// Live events of a match, and what happens when the connection breaks

function showLost(busy = false) {
  const then = unsent && !busy ? "What you did will be sent when the connection is back." : "Trying again…";
  banner.textContent = `${busy ? "The server is busy." : "Connection lost."} ${then}`;
  banner.classList.remove("well");
  banner.hidden = false;
}

const isLost = () => !banner.hidden && !banner.classList.contains("well");

function showNotice(text) {
  if (isLost()) return;
  banner.textContent = text;
  banner.classList.add("well");
  banner.hidden = false;
  setTimeout(() => (banner.hidden = banner.classList.contains("well")), 4000);
}

const connected = () => resting || !main.dataset.match || (stream && stream.readyState === EventSource.OPEN);
let tried = 0;

async function reconnect() {
  if (busy || !isLost()) return;
  if (!connected() && !unsent && Date.now() - tried < 5000) return; // without a stream, try every few seconds
  tried = Date.now();
  if (unsent) await send(unsent);
  else if (wanted) await navigate(wanted);
  else if (!(await refresh())) return;
  if (unsent || wanted || !connected()) return;
  banner.hidden = true;
  showNotice("Reconnected.");
}

function openStream() {
  const id = main.dataset.match;
  const as = `${id} ${main.dataset.seats}`; // a spectator who takes a seat needs a new stream
  if (stream && stream.as === as) return;
  if (stream) stream.close();
  stream = null;
  heard = 0;
  if (!id || resting) return;
  stream = new EventSource(`${root}/m/${id}/events?after=${main.dataset.version}`);
  stream.as = as;
  const mine = stream;
  stream.onopen = reconnect;
  stream.onmessage = (event) => {
    heard = Number(event.lastEventId);
    const { kind, offer } = JSON.parse(event.data);
    if (kind === "reload") missed = true; // or the server went back to a backup
    if (kind === "declined") showNotice(`The ${offer === "stop" ? "offer to stop" : offer} was declined.`);
    catchUp();
  };
  stream.addEventListener("watching", (event) => {
    const shown = find("#watching");
    if (!shown) return;
    shown.textContent = `${event.data} watching`;
    shown.hidden = event.data === "0";
  });
  stream.onerror = () => {
    if (mine !== stream) return;
    showLost();
    if (stream.readyState !== EventSource.CLOSED) return;
    stream = null;
    setTimeout(openStream, 3000);
  };
}

// Browsers allow few connections per server, so a hidden page closes its stream and reloads now and then.

let away = 0;

addEventListener("visibilitychange", () => {
  clearTimeout(away);
  if (document.hidden) away = setTimeout(() => setResting(true), 30000);
  else if (resting) setResting(false);
});

function setResting(on) {
  resting = on;
  if (on && stream) stream.close();
  stream = null;
  if (!on) refresh().then(openStream);
}

addEventListener("pageshow", (event) => event.persisted && refresh());

// The link to a seat that was taken elsewhere ends with # and its token: send it to the server, and remove it from the URL.

function adoptSeat() {
  const token = location.hash.slice(1);
  if (!main.dataset.match || !/^[\w-]{20,}$/.test(token)) return;
  history.replaceState(null, "", location.pathname + location.search);
  send({ action: `${root}/m/${main.dataset.match}/hold`, body: new URLSearchParams({ token }) });
}

// Sounds, off unless switched on

const sound = document.getElementById("sound");
let audio = null;

const showSound = (on) => sound.setAttribute("aria-pressed", on);

sound.addEventListener("click", () => {
  const on = localStorage.getItem("sound") !== "on";
  localStorage.setItem("sound", on ? "on" : "off");
  showSound(on);
  playTones(550);
});
showSound(localStorage.getItem("sound") === "on");

function playTones(...pitches) {
  if (localStorage.getItem("sound") !== "on") return;
  audio ??= new AudioContext();
  pitches.forEach((pitch, place) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const from = audio.currentTime + 0.16 * place;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.25);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.25);
  });
}

// Light, dark, or what the system prefers. A cookie keeps the choice, so that the server sends the right colors at once

const THEMES = ["system", "light", "dark"];
const theme = find("#theme");

function applyTheme(name) {
  const dataset = document.documentElement.dataset;
  if (name === "system") delete dataset.theme;
  else dataset.theme = name;
  theme.title = `Theme: ${name}`;
  theme.setAttribute("aria-label", theme.title);
}

theme.addEventListener("click", () => {
  const now = document.documentElement.dataset.theme || "system";
  const name = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
  const age = name === "system" ? 0 : 400 * 86400;
  document.cookie = `ninefold-theme=${name}; path=${root || "/"}; max-age=${age}; samesite=lax`;
  applyTheme(name);
  live.textContent = theme.title;
});
applyTheme(document.documentElement.dataset.theme || "system");

// Copying, sharing, and the moving boards of the home page

addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    find("#link").select();
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  live.textContent = "Copied.";
});

addEventListener("click", (event) => {
  const button = event.target.closest("[data-share]");
  if (button) navigator.share({ title: button.dataset.title, url: button.dataset.share }).catch(() => {});
});

addEventListener("click", (event) => {
  const button = event.target.closest("#pause");
  if (!button) return;
  localStorage.setItem("boards", localStorage.getItem("boards") === "still" ? "play" : "still");
  button.setAttribute("aria-pressed", localStorage.getItem("boards") === "still");
});

// A page that some of is taken from; null if it is not there now.
async function look(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? parse(await answer.text()) : null;
}

let steps = 0;

async function stepDemo() {
  const cards = [...main.querySelectorAll("[data-demo]")];
  if (!cards.length || document.hidden || prefersStill() || localStorage.getItem("boards") === "still") return;
  const card = cards[steps % cards.length];
  const step = Math.floor(steps / cards.length) % Number(card.dataset.steps);
  const page = await look(`${root}/demo/${card.dataset.demo}/${step}`);
  steps += 1;
  if (page) card.querySelector(".picture").replaceWith(document.adoptNode(page.querySelector(".picture")));
}

function refreshIdle() {
  const home = main.dataset.refresh && !document.hidden && !main.contains(document.activeElement);
  if (!busy && (home || (resting && main.dataset.match))) refresh();
}

// The time left for a move, by the server's clock. Other times are shown in the viewer's time zone.
function showTimes() {
  for (const one of main.querySelectorAll("time")) {
    if (!one.dataset.left) {
      one.textContent = new Date(one.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
      continue;
    }
    one.dataset.until ??= performance.now() + 1000 * one.dataset.left;
    const left = Math.max(0, Math.round((one.dataset.until - performance.now()) / 1000));
    const parts = left < 3600 ? [left / 60, left % 60] : [left / 3600, (left / 60) % 60, left % 60];
    one.textContent = parts.map((part, k) => String(Math.floor(part)).padStart(k ? 2 : 1, "0")).join(":");
    one.classList.toggle("short", left < 10);
  }
}

// What a finished match shows at a glance takes a moment to work out.
async function loadInsight() {
  const place = find("#insight");
  if (!place || place.textContent) return;
  const page = await look(place.dataset.load);
  if (!page) return;
  place.textContent = page.querySelector("p").textContent;
  const more = page.getElementById("mattered");
  if (more) find("#mattered")?.replaceWith(document.adoptNode(more));
  place.dataset.tries = Number(place.dataset.tries || 0) + 1;
  if (!place.textContent && place.dataset.tries < 5) setTimeout(loadInsight, 2000);
}

// The first visitor after a start comes before today's puzzle is found.
async function loadDaily() {
  const page = await look(location.href);
  if (!page) return;
  find(".daily[data-late]:not(:focus-within)")?.replaceWith(document.adoptNode(page.querySelector(".daily")));
  dispatchEvent(new Event("page"));
}

function preparePage() {
  showTimes();
  for (const form of main.querySelectorAll("form[data-play]")) form.noValidate = true;
  for (const button of main.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
  find("#pause")?.setAttribute("aria-pressed", localStorage.getItem("boards") === "still");
  for (const list of main.querySelectorAll(".fold .moves")) list.scrollTop = list.scrollHeight; // the newest
  const row = main.querySelector(".turn-list .here");
  if (row) row.parentElement.scrollTop = row.offsetTop - row.parentElement.offsetTop - row.parentElement.clientHeight / 2;
  highlightCells();
  loadInsight();
  openStream();
  dispatchEvent(new Event("page")); // other scripts look at it, too
}

// On a phone, the panels that larger screens show beside the board start out folded.
if (matchMedia("(max-width: 46rem)").matches) for (const one of document.querySelectorAll(".fold")) one.open = false;
preparePage();
adoptSeat();
addEventListener("hashchange", adoptSeat);
if (find(".daily[data-late]")) setTimeout(loadDaily, 3000);
setInterval(stepDemo, 1500);
setInterval(refreshIdle, 15000);
setInterval(() => find("[data-left]") && showTimes(), 1000);
setInterval(reconnect, 1500);
addEventListener("online", reconnect);
