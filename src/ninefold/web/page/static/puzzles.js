// What has come of puzzles is kept in this browser, by the name of the puzzle; the pages show it.

const find = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const main = () => document.getElementById("main");
const DAY = /^\d{4}-\d\d-\d\d$/;
const read = () => JSON.parse(localStorage.getItem("puzzles") || "{}");

function write(kept) {
  localStorage.setItem("puzzles", JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-2000))));
}

// Progress as a text to carry elsewhere; store/files/progress.py describes it.
function writeProgress(kept, version) {
  const named = Object.entries(kept).filter(([label]) => /^[\w/-]+$/.test(label));
  const words = named.map(([label, one]) => {
    const what = one.solved ? "solved" : one.shown ? "shown" : "open";
    return [label, what, ...one.wrong.map((text) => text.trim().replace(/\s+/g, "+"))].join(";");
  });
  return [version, ...words].join(" ");
}

function addProgress(kept, text) {
  for (const word of text.split(" ").slice(1)) {
    const [label, what, ...given] = word.split(";");
    const there = given.map((answer) => answer.replaceAll("+", " "));
    const one = kept[label] || { wrong: [], solved: false };
    if (there.length > one.wrong.length) one.wrong = there;
    one.solved ||= what === "solved";
    one.shown = !one.solved && (one.shown || what === "shown");
    kept[label] = one;
  }
}

// What came of the puzzle on this page. Its game and grade are kept, too: the ladder shows them.
function record(kept) {
  const { puzzle, result, wrong, game, grade } = main().dataset;
  if (!puzzle || result === "open") return;
  const one = kept[puzzle] || { wrong: [], solved: false };
  if (!one.solved && wrong && one.wrong.at(-1) !== wrong) one.wrong.push(wrong);
  one.solved ||= result === "solved";
  one.shown = !one.solved && (one.shown || result === "shown");
  Object.assign(one, { game, grade: Number(grade) });
  delete kept[puzzle]; // the latest comes last
  kept[puzzle] = one;
  write(kept);
}

// Days in a row

const before = (day) => new Date(Date.parse(day) - 864e5).toISOString().slice(0, 10);

function countBack(kept, day) {
  let count = 0;
  for (; kept[day]?.solved; day = before(day)) count += 1;
  return count;
}

// Up to today's puzzle or yesterday's.
const streakOf = (kept, today) => countBack(kept, kept[today]?.solved ? today : before(today));
const bestOf = (kept) => Math.max(0, ...Object.keys(kept).filter((label) => DAY.test(label)).map((day) => countBack(kept, day)));
const days = (count) => `${count} day${count === 1 ? "" : "s"} in a row`;

function showDays(kept) {
  for (const one of all("[data-day]")) {
    const state = kept[one.dataset.day]?.solved ? "done" : one.classList.contains("now") ? "" : "missed";
    if (state) one.classList.add(state);
    const says = one.querySelector("[data-state]");
    says.textContent = { done: ": solved", missed: ": not solved" }[state] || "";
  }
  for (const one of all("[data-streak]")) {
    const count = streakOf(kept, one.dataset.streak);
    one.textContent = count ? days(count) : one.dataset.none || "";
  }
}

// How it went, and a result to share, which gives nothing away.
function showResult(kept) {
  if (!main().dataset.puzzle) return;
  const one = kept[main().dataset.puzzle] || { wrong: [] };
  const tries = one.wrong.length + 1;
  const ordinal = ["first", "second", "third"][tries - 1] || `${tries}th`;
  if (find("#tries")) find("#tries").textContent = ordinal;
  if (find("#how")) find("#how").textContent = `Solved on the ${ordinal} try`;
  const best = bestOf(kept);
  for (const place of all("[data-best]")) place.textContent = best > 1 ? `best ${best}` : "";
  for (const place of all("[data-next]")) {
    const minutes = Math.ceil((864e5 - (Date.now() % 864e5)) / 6e4);
    place.textContent = `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }
  for (const button of all("[data-result-text]")) {
    const plain = `solved on try ${one.wrong.length + 1}`;
    const marks = button.dataset.resultText === "plain" ? plain : "🟥".repeat(one.wrong.length) + "🟩";
    button.dataset.copy = `${button.dataset.about}\n${marks}`;
    if (button.id === "copy") find("#link").value = button.dataset.copy;
  }
}

// Sharing shows what it copies.
const openResult = (event) => event.target.closest?.("[data-result-text]") && (find(".copied").open = true);
addEventListener("click", openResult, true);

// The page of all puzzles

function takeCarried(kept) {
  const carried = find("#carried");
  if (!carried) return;
  addProgress(kept, carried.dataset.progress);
  write(kept);
  carried.remove(); // it is listed with this browser's own
  history.replaceState(null, "", location.pathname);
}

// `Shadow Grid Duel, grade 2`; progress from elsewhere has only labels.
function nameOf(label, one) {
  const game = find(`#g-${one.game || label.split("/")[0]}`)?.textContent;
  const about = [game, one.grade && `grade ${one.grade}`].filter(Boolean).join(", ");
  return [DAY.test(label) || !game ? label : "", about].filter(Boolean).join(": ");
}

function showProgress(kept) {
  const progress = find("#progress");
  if (!progress) return;
  find("#export").value = writeProgress(kept, find("#carry").dataset.version);
  const count = Object.values(kept).filter((one) => one.solved).length;
  const streak = streakOf(kept, progress.dataset.today);
  find("#solved").textContent = `Solved so far: ${count}${streak > 1 ? `, ${streak} daily puzzles in a row` : ""}.`;
  const failed = Object.entries(kept).filter(([, one]) => !one.solved).reverse();
  find("#failed").replaceChildren(
    ...failed.slice(0, 50).map(([label, one]) => {
      const item = document.createElement("li");
      const link = item.appendChild(document.createElement("a"));
      link.href = `${document.body.dataset.root}/puzzle/${label}`;
      link.textContent = nameOf(label, one);
      if (one.wrong.length) item.append(`, ${one.wrong.length} wrong answer${one.wrong.length === 1 ? "" : "s"}`);
      return item;
    }),
  );
  find("#again-title").hidden = !failed.length;
}

// Per game, the grades that were solved, how many puzzles, and the grade that comes next.
function showLadders(kept) {
  for (const ladder of all("[data-game]").filter((one) => one !== main())) {
    const { game } = ladder.dataset;
    const tried = Object.entries(kept).filter(([label, one]) => (one.game || label.split("/")[0]) === game);
    const solved = tried.filter(([, one]) => one.solved);
    const grades = new Set(solved.map(([, one]) => one.grade));
    const rungs = [...ladder.querySelectorAll("[data-rung]")];
    for (const rung of rungs) rung.classList.toggle("done", grades.has(Number(rung.dataset.rung)));
    const next = rungs.find((rung) => !rung.classList.contains("done"));
    next?.classList.add("due");
    if (tried.length) ladder.querySelector("[data-record]").textContent = `${solved.length} of ${tried.length} solved`;
    const go = ladder.querySelector("[data-next-grade]");
    if (!next) continue;
    go.setAttribute("href", next.getAttribute("href"));
    go.textContent = `Grade ${next.dataset.rung} ›`;
    go.setAttribute("aria-label", `${go.textContent} ${next.getAttribute("aria-label")}`);
  }
}

function showMonth(kept) {
  const marked = all(".calendar [data-day]");
  const solved = marked.filter((one) => one.classList.contains("done")).length;
  const missed = marked.filter((one) => one.classList.contains("missed")).length;
  for (const one of all("[data-month]")) one.textContent = `✓ solved ${solved}   – not solved ${missed}, still open`;
  for (const one of all("[data-promise]")) {
    const { promise } = one.dataset;
    const count = streakOf(kept, promise);
    const then = kept[promise]?.solved ? "Solved. Come back tomorrow." : count ? `Today makes it ${count + 1}.` : "";
    one.textContent = [count ? `${days(count)}.` : "", then].filter(Boolean).join(" ");
  }
}

// Lessons: the steps that are done, by their names, and where to go on.

function showLessons() {
  const done = new Set(JSON.parse(localStorage.getItem("lessons") || "[]"));
  const { lesson, result } = main().dataset;
  if (lesson && result === "solved" && !done.has(lesson)) {
    localStorage.setItem("lessons", JSON.stringify([...done.add(lesson)]));
  }
  for (const dot of all("[data-step]")) dot.classList.toggle("on", done.has(dot.dataset.step));
  for (const course of all("[data-course]")) {
    const steps = [...course.querySelectorAll("[data-step]")];
    const next = steps.find((step) => !done.has(step.dataset.step));
    const go = course.querySelector("[data-resume]");
    if (next && next !== steps[0]) [go.href, go.textContent] = [next.href, "Continue"];
    else if (!next) go.textContent = "Once more";
  }
}

function showPuzzles() {
  const kept = read();
  showLessons();
  takeCarried(kept);
  record(kept);
  showDays(kept);
  showResult(kept);
  showLadders(kept);
  showMonth(kept);
  showProgress(kept);
}

showPuzzles();
addEventListener("page", showPuzzles);
