/** A machine moved by hand, on the simulated database: time, tasks and faults come when the test says so, all on its own thread. */
package dev.leasehold.engine.world;
