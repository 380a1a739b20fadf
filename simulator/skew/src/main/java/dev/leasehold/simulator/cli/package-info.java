/** The command line: reads options, hands them to what does the work, and prints what came of it. It decides nothing itself. */
@NullMarked
package dev.leasehold.simulator.cli;

import org.jspecify.annotations.NullMarked;
