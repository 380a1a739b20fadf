/** The command line: options, progress, and the exit code. */
@NullMarked
package dev.leasehold.bench.cli;

import org.jspecify.annotations.NullMarked;
