"use strict";

// Keeps a page fresh, for the operator's tool and for the merge queue. It fetches the board of the page again and again, and changes only
// what is different: so focus, selection, scrolling and what was typed survive. It shows times as distances from now, by the server's
// clock, with the exact time on hover. Without it, a page is complete, and stands still.
(function () {
  var board = document.getElementById("board");
  if (!board || !window.fetch || !window.DOMParser) {
    return;
  }

  var PERIOD = 2000;
  var PERIOD_HIDDEN = 30000;
  var LIMIT = 10000;
  var seen = document.getElementById("seen");
  var address = location.pathname + location.search;
  var tag = null;
  var ahead = 0; // of the server's clock before this one
  var seenAt = null;
  var answeredAt = Date.now();
  var running = null;
  var timer = null;

  // ---- times ----

  function pad(number) {
    return number < 10 ? "0" + number : String(number);
  }

  function distance(millis) {
    var seconds = Math.floor(millis / 1000);
    if (seconds < 60) {
      return seconds + " s";
    }
    var minutes = Math.floor(seconds / 60);
    if (minutes < 10) {
      return minutes + " min " + pad(seconds % 60) + " s";
    }
    if (minutes < 60) {
      return minutes + " min";
    }
    var hours = Math.floor(minutes / 60);
    if (hours < 24) {
      return hours + " h " + pad(minutes % 60) + " min";
    }
    var days = Math.floor(hours / 24);
    return days < 10 ? days + " d " + (hours % 24) + " h" : days + " d";
  }

  function exact(date) {
    return date.toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC") + "\n" + date.toLocaleString() + " here";
  }

  function write(element, text) {
    if (element.textContent !== text) {
      element.textContent = text;
    }
  }

  function tick() {
    var now = Date.now() + ahead;
    var times = board.getElementsByTagName("time");
    for (var i = 0; i < times.length; i++) {
      var at = Date.parse(times[i].dateTime);
      if (!isNaN(at)) {
        write(times[i], at > now ? "in " + distance(at - now) : distance(now - at) + " ago");
        var title = exact(new Date(at));
        if (times[i].title !== title) {
          times[i].title = title;
        }
      }
    }
    var bars = board.querySelectorAll("[data-until]");
    for (var j = 0; j < bars.length; j++) {
      var left = (Date.parse(bars[j].dataset.until) - now) / Number(bars[j].dataset.span);
      var part = Math.max(0, Math.min(1, left));
      bars[j].firstElementChild.style.width = Math.round(part * 100) + "%";
      bars[j].classList.toggle("low", part < 0.2);
    }
    if (seen) {
      var silent = Date.now() - answeredAt;
      if (silent > 3 * PERIOD + LIMIT / 2) {
        seen.className = "trouble";
        write(seen, "no answer for " + distance(silent) + ": what is shown is old");
      } else if (seenAt !== null) {
        seen.className = now - seenAt > 15000 ? "trouble" : "well";
        write(seen, "seen " + distance(Math.max(0, now - seenAt)) + " ago");
      }
    }
  }

  // ---- changes in place ----

  function kept(element, name) {
    return name === "style" || name === "open" || (name === "title" && element.tagName === "TIME");
  }

  function attributes(old, fresh) {
    var i;
    for (i = old.attributes.length - 1; i >= 0; i--) {
      var name = old.attributes[i].name;
      if (!fresh.hasAttribute(name) && !kept(old, name)) {
        old.removeAttribute(name);
      }
    }
    for (i = 0; i < fresh.attributes.length; i++) {
      var attribute = fresh.attributes[i];
      if (old.getAttribute(attribute.name) !== attribute.value && !kept(old, attribute.name)) {
        old.setAttribute(attribute.name, attribute.value);
      }
    }
  }

  function change(old, fresh) {
    if (old.nodeType !== 1) {
      if (old.nodeValue !== fresh.nodeValue) {
        old.nodeValue = fresh.nodeValue;
      }
      return;
    }
    if ((old.tagName === "INPUT" && old.type !== "hidden") || old.id === "result") {
      return; // what was typed or ticked belongs to the reader, and so does the answer to an order
    }
    attributes(old, fresh);
    if (old.tagName !== "TIME") {
      children(old, fresh);
    }
  }

  function fits(old, fresh) {
    return old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && !old.id && !fresh.id;
  }

  function children(old, fresh) {
    var known = new Map();
    var wanted = new Set();
    var node;
    for (node = fresh.firstChild; node; node = node.nextSibling) {
      if (node.id) {
        wanted.add(node.id);
      }
    }
    for (node = old.firstChild; node; ) {
      var following = node.nextSibling;
      if (node.id && wanted.has(node.id)) {
        known.set(node.id, node);
      } else if (node.id) {
        old.removeChild(node);
      }
      node = following;
    }
    var at = old.firstChild;
    for (node = fresh.firstChild; node; node = node.nextSibling) {
      var match = node.id ? known.get(node.id) : at && fits(at, node) ? at : null;
      if (match && match.nodeName !== node.nodeName) {
        match = null;
      }
      if (!match) {
        old.insertBefore(document.importNode(node, true), at);
      } else {
        if (match === at) {
          at = at.nextSibling;
        } else {
          old.insertBefore(match, at);
        }
        change(match, node);
      }
    }
    while (at) {
      var rest = at.nextSibling;
      old.removeChild(at);
      at = rest;
    }
  }

  // An element that is moved loses the focus, and the selection in it.
  function show(html) {
    var fresh = new DOMParser().parseFromString('<main id="board">' + html + "</main>", "text/html").getElementById("board");
    var focused = document.activeElement;
    var selection = window.getSelection();
    var range = selection && selection.rangeCount && !selection.isCollapsed
      ? [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset]
      : null;
    children(board, fresh);
    tick();
    if (focused && focused !== document.activeElement && board.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
    if (range && selection.isCollapsed && range[0].isConnected && range[2].isConnected) {
      try {
        selection.setBaseAndExtent(range[0], range[1], range[2], range[3]);
      } catch (e) {
        // the text has become shorter
      }
    }
  }

  // ---- the server ----

  function fetchBoard() {
    window.clearTimeout(timer);
    if (running) {
      running.abort();
    }
    var mine = (running = new AbortController());
    var limit = window.setTimeout(function () {
      mine.abort();
    }, LIMIT);
    var headers = { "Leasehold-Part": "board" };
    if (tag) {
      headers["If-None-Match"] = tag;
    }
    fetch(address, { headers: headers, cache: "no-store", signal: mine.signal, credentials: "same-origin" })
      .then(function (response) {
        if (response.status !== 200 && response.status !== 304) {
          throw new Error(String(response.status));
        }
        answeredAt = Date.now();
        var now = Date.parse(response.headers.get("Leasehold-Now"));
        if (!isNaN(now)) {
          ahead = now - answeredAt;
        }
        var at = Date.parse(response.headers.get("Leasehold-Seen"));
        seenAt = isNaN(at) ? null : at;
        if (response.status === 304) {
          return null;
        }
        var fresh = response.headers.get("ETag");
        return response.text().then(function (html) {
          if (mine === running) {
            tag = fresh;
            show(html);
          }
        });
      })
      .catch(function () {
        // The line that says when it was seen last goes on counting.
      })
      .then(function () {
        window.clearTimeout(limit);
        if (mine === running) {
          running = null;
          timer = window.setTimeout(fetchBoard, document.hidden ? PERIOD_HIDDEN : PERIOD);
        }
      });
  }

  function go(url, isStep) {
    if (url === address) {
      return;
    }
    address = url;
    tag = null;
    history[isStep ? "pushState" : "replaceState"](null, "", url);
    fetchBoard();
  }

  function addressOf(form) {
    var query = new URLSearchParams();
    new FormData(form).forEach(function (value, name) {
      if (value !== "") {
        query.append(name, value);
      }
    });
    return form.getAttribute("action") + "?" + query.toString();
  }

  document.addEventListener("click", function (event) {
    var link = event.target.closest ? event.target.closest("a[data-in-place]") : null;
    if (link && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      go(link.getAttribute("href"), true);
    }
  });

  // ---- orders that are no forms: a request, and what came of it ----

  function told(text) {
    var result = document.getElementById("result");
    if (result) {
      result.hidden = false;
      result.textContent = text;
    }
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest ? event.target.closest("button[data-method]") : null;
    if (!button || (button.dataset.confirm && !window.confirm(button.dataset.confirm))) {
      return;
    }
    button.disabled = true;
    fetch(button.dataset.url, { method: button.dataset.method, headers: { Accept: "application/json" }, credentials: "same-origin" })
      .then(function (response) {
        return response.json().then(function (body) {
          told(response.ok ? "Done." : "Refused: " + (body.message || body.error || response.status));
        });
      })
      .catch(function () {
        told("No answer: it may have been done, or not. Look again.");
      })
      .then(function () {
        button.disabled = false;
        fetchBoard();
      });
  });

  var typing = null;
  document.addEventListener("input", function (event) {
    var form = event.target.form;
    if (form && form.hasAttribute("data-in-place")) {
      window.clearTimeout(typing);
      typing = window.setTimeout(function () {
        go(addressOf(form), false);
      }, 150);
    }
  });

  document.addEventListener("submit", function (event) {
    if (event.target.hasAttribute("data-in-place")) {
      event.preventDefault();
      go(addressOf(event.target), false);
    } else if (event.target.dataset.confirm && !window.confirm(event.target.dataset.confirm)) {
      event.preventDefault();
    }
  });

  document.addEventListener("keydown", function (event) {
    var filter = document.getElementById("q");
    if (event.key === "/" && filter && !event.ctrlKey && !event.metaKey && !/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
      event.preventDefault();
      filter.focus();
    }
  });

  document.addEventListener("visibilitychange", function () {
    if (!document.hidden) {
      fetchBoard();
    }
  });

  window.addEventListener("popstate", function () {
    address = location.pathname + location.search;
    tag = null;
    fetchBoard();
  });

  tick();
  window.setInterval(tick, 1000);
  fetchBoard();
})();
