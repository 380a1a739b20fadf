/**
 * Plays plans: starts real engines on simulated machines, executes the commands, and records what the engines were asked, what they
 * answered and when they held what they were granted.
 */
@NullMarked
package dev.leasehold.simulator.run;

import org.jspecify.annotations.NullMarked;
