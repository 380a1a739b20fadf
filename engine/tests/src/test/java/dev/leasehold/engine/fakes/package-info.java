/** A machine and a database moved by hand: time, tasks and answers come when the test says so, and all on its own thread. */
package dev.leasehold.engine.fakes;
