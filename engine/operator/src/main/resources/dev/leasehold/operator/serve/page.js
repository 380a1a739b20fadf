"use strict";

// Fetches the part of the page that changes, and shows only the rows that are wanted. Without scripts the page is complete, and stands still.
(function () {
  var board = document.getElementById("board");
  var filter = document.getElementById("filter");
  if (!board || !filter) {
    return;
  }

  function show() {
    var wanted = filter.value.toLowerCase();
    var rows = board.querySelectorAll("[data-text]");
    for (var i = 0; i < rows.length; i++) {
      rows[i].hidden = rows[i].getAttribute("data-text").toLowerCase().indexOf(wanted) < 0;
    }
  }

  function lost() {
    var state = document.getElementById("state");
    state.className = "trouble";
    state.textContent = "The tool that serves this page does not answer. What is shown is old.";
  }

  function fetchBoard() {
    var request = new XMLHttpRequest();
    request.open("GET", "/board");
    request.timeout = 10000;
    request.onload = function () {
      if (request.status === 200) {
        board.innerHTML = request.responseText;
        show();
      } else {
        lost();
      }
      again();
    };
    request.onerror = request.ontimeout = function () {
      lost();
      again();
    };
    request.send();
  }

  function again() {
    window.setTimeout(fetchBoard, 2000);
  }

  filter.addEventListener("input", show);
  again();
})();
