/**
 * Plays plans: starts real engines on simulated machines, does with them what the commands say, and writes down what they were asked,
 * what they answered and what they believed.
 */
@NullMarked
package dev.leasehold.simulator.run;

import org.jspecify.annotations.NullMarked;
