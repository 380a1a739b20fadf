/**
 * A world in which only true time passes: a queue of what happens next, machines whose processes run one at a time, and the network
 * between them and the database.
 *
 * <p>Processes are ordinary blocking code on threads of their own, but only the one that has the baton runs. A thread that waits looks for what
 * happens next and passes the baton on, so that the scheduler of the JVM never has a choice.
 */
@NullMarked
package dev.leasehold.simulator.world;

import org.jspecify.annotations.NullMarked;
